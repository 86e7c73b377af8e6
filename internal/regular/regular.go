// Package regular opens regular files and nothing else, and never waits for one: of a pipe or a device nobody knows
// whether reading it begins, or ends.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Error is what was named as a file, and is none.
type Error struct {
	Path string
	Mode fs.FileMode
}

func (e *Error) Error() string {
	kind := "no regular file"
	switch {
	case e.Mode.IsDir():
		kind = "a folder"
	case e.Mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case e.Mode&fs.ModeDevice != 0:
		kind = "a device"
	case e.Mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return fmt.Sprintf("%s is %s, and not a file", e.Path, kind)
}

// reading has the opening of a pipe to which nobody writes not wait for somebody who does.
const reading = os.O_RDONLY | syscall.O_NONBLOCK

// Open opens a file for reading.
//
// Errors: *Error, those of opening.
func Open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, reading, 0)
	return checked(file, path, err)
}

// OpenIn opens a file of a folder, from which its name, with slashes, does not lead out, also not by links.
//
// Errors: *Error, those of opening.
func OpenIn(folder, name string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(filepath.FromSlash(name), reading, 0)
	return checked(file, filepath.Join(folder, name), err)
}

func checked(file *os.File, path string, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Error{path, info.Mode()}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// LimitError is a file that is longer than it may be.
type LimitError struct {
	Path string
	Most int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("%s has more than %d bytes", e.Path, e.Most) }

// Read reads a file of at most so many bytes, also one that grows meanwhile.
//
// Errors: *Error, *LimitError, those of reading.
func Read(path string, most int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = &LimitError{path, most}
	}
	return text, err
}
