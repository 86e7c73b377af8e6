//go:build unix

package arena

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// files are the files of the host that this side has mapped beside the arena, to read only.
type files struct {
	mu  sync.Mutex // protects all
	all []mappedFile
}

type mappedFile struct {
	info  os.FileInfo
	bytes []byte
}

// File is the memory of a range of a file, at any offset, which must not be written. It
// stays until the arena is closed: whoever names the file sees to it that it does not
// become shorter meanwhile. A range that the file has not is a *RangeError.
func (a *Arena) File(path string, r Range) ([]byte, error) {
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	size := uint64(info.Size())
	if r.Length == 0 || r.Offset > size || r.Length > size-r.Offset {
		return nil, &RangeError{File: path, Range: r, Size: size, Align: 1}
	}
	bytes, err := a.files.mapped(path, info, r.End())
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", path, err)
	}
	return bytes[r.Offset:r.End():r.End()], nil
}

// mapped is the file, mapped as far as end at least.
func (f *files) mapped(path string, info os.FileInfo, end uint64) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, known := range f.all {
		if os.SameFile(known.info, info) && end <= uint64(len(known.bytes)) {
			return known.bytes, nil
		}
	}
	opened, err := mapReadOnly(path, info)
	if err == nil {
		f.all = append(f.all, opened)
	}
	return opened.bytes, err
}

// mapReadOnly maps all of the file that info is about.
func mapReadOnly(path string, info os.FileInfo) (mappedFile, error) {
	file, err := open(path, os.O_RDONLY)
	if err != nil {
		return mappedFile{}, err
	}
	defer file.Close()
	if now, err := file.Stat(); err != nil || !os.SameFile(now, info) {
		return mappedFile{}, errors.Join(err, fs.ErrNotExist) // another has taken its place
	}
	bytes, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	return mappedFile{info: info, bytes: bytes}, err
}

func (f *files) close() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.all {
		err = errors.Join(err, unix.Munmap(m.bytes))
	}
	f.all = nil
	return err
}
