package store

import (
	"errors"
	"os"
)

// tempFile is a file of a load. It leaves the space that Badger needs to the others.
type tempFile struct {
	*os.File
	dir string
}

func createTemp(dir, path string) (tempFile, error) {
	f, err := os.Create(path)
	return tempFile{f, dir}, err
}

// Write fails with a *DiskFullError before the disk is full.
func (f tempFile) Write(p []byte) (int, error) {
	if err := checkSpace(f.dir, uint64(len(p))+writeReserve); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// remove closes and deletes the file.
func (f tempFile) remove() error {
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
