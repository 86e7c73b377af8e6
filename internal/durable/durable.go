// Package durable makes files that survive a power failure whole. A file that is written and renamed without a sync may
// be empty afterwards, and a new name may be gone.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts a file with this text in the place of path, if there is one. A power failure leaves the old file or
// the new one.
func Replace(path string, text []byte, mode fs.FileMode) error {
	next := path + ".new"
	err := Write(next, text, mode)
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		_ = os.Remove(next)
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Write writes a file with this text and returns when the text is on the disk. Its name may not be: see SyncDir.
func Write(path string, text []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// SyncDir returns when the names in a folder are on the disk.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
