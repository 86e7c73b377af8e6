package space

import (
	"errors"
	"os"
)

// TempFile is a file of a load. It leaves the space that Badger needs to the others.
type TempFile struct {
	*os.File
	dir string
}

func CreateTemp(dir, path string) (TempFile, error) {
	f, err := os.Create(path)
	return TempFile{f, dir}, err
}

// Write fails with a *DiskFullError before the disk is full.
func (f TempFile) Write(p []byte) (int, error) {
	return LeaveRoom(f.dir, f.File).Write(p)
}

// Remove closes and deletes the file.
func (f TempFile) Remove() error {
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
