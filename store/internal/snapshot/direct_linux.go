package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/buffers"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// DirectBlock is what direct reads are made of. Devices that need larger blocks are read
// through the cache.
const DirectBlock = 4096

// UncachedRoom is how many bytes a chunk's blocks may have more than the chunk.
const UncachedRoom = 2 * DirectBlock

// directReads read chunks past the system's cache. Through Badger's mapping every page would
// be cached first, and push out others; so would the pages around the few that Badger itself
// looks at. Where a chunk lies is found out once. Should Badger move it, the file that is
// open here becomes empty, and the chunk is looked for again.
type directReads struct {
	mu     sync.Mutex // protects all
	files  map[string]*DirectFile
	Places map[DirectKey]DirectPlace
}

type DirectKey struct {
	Piece  layout.Piece
	Number uint32
}

type DirectPlace struct {
	File           *DirectFile
	Offset, Length int64
}

// DirectFile is open for direct reads.
type DirectFile struct {
	*os.File
	Align uintptr // of the memory that is read to
}

// OpenDirect opens a file for direct reads and asks what memory they take. A system that does
// not tell takes whole blocks, as all devices with blocks of at most that size do.
func OpenDirect(path string) (*DirectFile, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		return nil, err
	}
	var about unix.Statx_t
	told := unix.Statx(int(file.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_DIOALIGN, &about) == nil
	if !told || about.Mask&unix.STATX_DIOALIGN == 0 {
		return &DirectFile{file, DirectBlock}, nil
	}
	if about.Dio_offset_align == 0 || about.Dio_offset_align > DirectBlock || about.Dio_mem_align > DirectBlock {
		file.Close()
		return nil, fmt.Errorf("%s has no direct reads of %d bytes: its device asks for %d, in memory aligned to %d: %w",
			path, DirectBlock, about.Dio_offset_align, about.Dio_mem_align, errors.ErrUnsupported)
	}
	return &DirectFile{file, uintptr(max(1, about.Dio_mem_align))}, nil
}

// takes tells whether direct reads can go to this memory.
func (f *DirectFile) takes(dst []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%f.Align == 0
}

// read reads the chunk: in place where dst has UncachedRoom and is aligned, and all columns
// are wanted, and else by way of a buffer.
func (d *directReads) read(s *Snapshot, info manifest.ChunkInfo, columns []string, dst []byte) (int, error) {
	at, err := d.place(s, info)
	if err != nil {
		return 0, err
	}
	if info.Has(columns) && len(dst) >= int(at.Length)+UncachedRoom && at.File.takes(dst) {
		encoded, err := d.readTo(dst, info, at)
		if err != nil {
			return 0, err
		}
		return len(encoded), info.Verify(encoded)
	}
	room := buffers.Borrow(int(at.Length) + UncachedRoom + DirectBlock)
	defer buffers.Return(room)
	encoded, err := d.readTo(FromBlock(room), info, at)
	if err != nil {
		return 0, err
	}
	return chunk.Transcribe(dst, encoded, info.Check, columns...)
}

// FromBlock is b from its first address that is a multiple of directBlock.
func FromBlock(b []byte) []byte {
	return b[-uintptr(unsafe.Pointer(unsafe.SliceData(b)))%DirectBlock:]
}

// readTo reads the blocks that a chunk lies in to dst and moves the chunk to its beginning.
func (d *directReads) readTo(dst []byte, info manifest.ChunkInfo, at DirectPlace) ([]byte, error) {
	skip := at.Offset % DirectBlock
	blocks := (skip + at.Length + DirectBlock - 1) / DirectBlock * DirectBlock
	if err := ReadBlocks(at.File.File, dst[:blocks], at.Offset-skip, int(skip+at.Length)); err != nil {
		d.forget(info)
		return nil, fmt.Errorf("direct read of %s: %w", at.File.Name(), err)
	}
	return dst[:copy(dst, dst[skip:skip+at.Length])], nil
}

// ReadBlocks reads at least need bytes, as far as there are so many.
func ReadBlocks(file *os.File, dst []byte, offset int64, need int) error {
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
func (d *directReads) place(s *Snapshot, info manifest.ChunkInfo) (DirectPlace, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := DirectKey{info.Piece(), info.Number}
	if at, ok := d.Places[key]; ok {
		return at, nil
	}
	var at Place
	var mapping pages.Mapping
	_, err := s.readChunk(context.Background(), info, nil, func(value []byte) (_ int, err error) {
		var found bool
		if at, found = s.place(value); !found {
			return 0, fmt.Errorf("the chunk is in no value log: %w", errors.ErrUnsupported)
		}
		mapping, err = s.finder.Find(uintptr(unsafe.Pointer(unsafe.SliceData(value))))
		return 0, err
	})
	if err != nil {
		return DirectPlace{}, err
	}
	file := d.files[at.Path]
	if file == nil {
		if file, err = OpenDirect(at.Path); err != nil {
			return DirectPlace{}, err
		}
		mapping.ReadSingly()
	}
	if d.Places == nil {
		d.files, d.Places = map[string]*DirectFile{}, map[DirectKey]DirectPlace{}
	}
	d.files[at.Path] = file
	d.Places[key] = DirectPlace{file, at.Offset, at.Length}
	return d.Places[key], nil
}

func (d *directReads) forget(info manifest.ChunkInfo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.Places, DirectKey{info.Piece(), info.Number})
}

func (d *directReads) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, file := range d.files {
		file.Close()
	}
	d.files, d.Places = nil, nil
}
