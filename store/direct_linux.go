package store

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// directBlock is what direct reads are made of: whole blocks, into memory that begins like one.
const directBlock = 4096

// UncachedRoom is how many bytes a chunk's blocks may have more than the chunk.
const UncachedRoom = 2 * directBlock

// directReads read chunks past the system's cache. Through Badger's mapping every page would
// be cached first, and push out others; so would the pages around the few that Badger itself
// looks at. Where a chunk lies is found out once. Should Badger move it, the file that is
// open here becomes empty, and the chunk is looked for again.
type directReads struct {
	mu     sync.Mutex // protects all
	files  map[string]*os.File
	places map[directKey]directPlace
}

type directKey struct {
	piece  piece
	number uint32
}

type directPlace struct {
	file           *os.File
	offset, length int64
}

// read reads the blocks that a chunk lies in to dst and moves the chunk to its beginning.
func (d *directReads) read(s *Snapshot, info ChunkInfo, dst []byte) (encoded []byte, err error) {
	key := directKey{info.piece(), info.Number}
	at, err := d.place(s, info, key)
	if err != nil {
		return nil, err
	}
	skip := at.offset % directBlock
	blocks := (skip + at.length + directBlock - 1) / directBlock * directBlock
	err = readBlocks(at.file, dst[:blocks], at.offset-skip, int(skip+at.length))
	if err != nil {
		d.forget(key)
		return nil, err
	}
	return dst[:copy(dst, dst[skip:skip+at.length])], nil
}

// readBlocks reads at least need bytes, as far as there are so many.
func readBlocks(file *os.File, dst []byte, offset int64, need int) error {
	for done := 0; done < need; {
		n, err := unix.Pread(int(file.Fd()), dst[done:], offset+int64(done))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n <= 0:
			return io.ErrUnexpectedEOF
		default:
			done += n
		}
	}
	return nil
}

// place is where a chunk lies.
func (d *directReads) place(s *Snapshot, info ChunkInfo, key directKey) (directPlace, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if at, ok := d.places[key]; ok {
		return at, nil
	}
	var at Place
	found := false
	_, err := s.readChunk(context.Background(), info, nil, func(value []byte) (int, error) {
		at, found = s.db.place(value)
		if m, err := s.db.finder.Find(uintptr(unsafe.Pointer(unsafe.SliceData(value)))); err == nil && found {
			m.ReadSingly()
		}
		return 0, nil
	})
	if err == nil && !found {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return directPlace{}, err
	}
	return d.remember(key, at)
}

// remember needs d.mu.
func (d *directReads) remember(key directKey, at Place) (directPlace, error) {
	file := d.files[at.Path]
	if file == nil {
		var err error
		if file, err = os.OpenFile(at.Path, os.O_RDONLY|unix.O_DIRECT, 0); err != nil {
			return directPlace{}, err
		}
	}
	if d.places == nil {
		d.files, d.places = map[string]*os.File{}, map[directKey]directPlace{}
	}
	d.files[at.Path] = file
	d.places[key] = directPlace{file, at.Offset, at.Length}
	return d.places[key], nil
}

func (d *directReads) forget(key directKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.places, key)
}

func (d *directReads) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, file := range d.files {
		file.Close()
	}
	d.files, d.places = nil, nil
}
