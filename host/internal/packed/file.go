package packed

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/zeebo/xxh3"

	"github.com/penstock-db/penstock/host/internal/unnamed"
	"github.com/penstock-db/penstock/internal/pages"
)

// page is what direct reads and writes are made of, and where in memory and in the file they begin.
const page = 4096

// file is where copies lie, one after the other. The system's cache has nothing of it: the memory is short already.
type file struct {
	*os.File
	end  atomic.Int64
	left uint64 // bytes of the disk that copies leave to others
}

// left is so much: a database's logs and tables may be written there.
const left = 48 << 20

// newFile makes it in the folder for temporary files, which must be on a disk.
func newFile() (*file, error) {
	f, err := unnamed.File("penstock-copies-*")
	if err != nil {
		return nil, err
	}
	if err := passCache(f); err != nil {
		return nil, errors.Join(fmt.Errorf("files in %s cannot be read past the system's cache: %w", os.TempDir(), err),
			f.Close())
	}
	return &file{File: f, left: left}, nil
}

// copied is the copy of a chunk, and where it lies.
type copied struct {
	offset int64
	packed int    // bytes
	bytes  int    // of the chunk
	ahead  int    // how far what is unpacked gets ahead of what is not, at most, if they begin at the same place
	sum    uint64 // xxh3 of the chunk
}

// errRoom says that a copy cannot be unpacked where its chunk was read to.
var errRoom = errors.New("there is no room to unpack a copy")

// writeBytes are written at once.
const writeBytes = 256 << 10

// write packs a chunk.
func (f *file) write(chunk []byte) (copied, error) {
	most := whole(len(chunk) + (len(chunk)+blockBytes-1)/blockBytes)
	if err := hasRoom(f.File, uint64(most), f.left); err != nil {
		return copied{}, err
	}
	buf, err := pages.Scratch(writeBytes)
	if err != nil {
		return copied{}, err
	}
	defer pages.Free(buf)
	end := f.end.Add(int64(most)) // what is not written is a hole, which takes nothing
	c := copied{offset: end - int64(most), bytes: len(chunk), sum: xxh3.Hash(chunk)}
	to, waiting := c.offset, buf[:0]
	for at := 0; at < len(chunk); at += blockBytes {
		before := len(waiting)
		end := min(at+blockBytes, len(chunk))
		waiting = pack(waiting, chunk[at:end])
		c.packed += len(waiting) - before
		c.ahead = max(c.ahead, end-c.packed)
		if len(waiting)+mostPacked > len(buf) {
			ready := len(waiting) / page * page
			if _, err := f.WriteAt(buf[:ready], to); err != nil {
				return copied{}, err
			}
			to, waiting = to+int64(ready), buf[:copy(buf, waiting[ready:])]
		}
	}
	_, err = f.WriteAt(buf[:whole(len(waiting))], to)
	return c, err
}

// read makes a chunk of its copy, at the beginning of dst. The copy is read to the end of dst, where it must lie so far
// behind that nothing is unpacked to where it has not been unpacked yet (errRoom). It tells how much was read.
func (f *file) read(dst []byte, c copied) (read int, err error) {
	read = whole(c.packed)
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(dst)))
	from := int((begin+uintptr(len(dst)))/page*page-begin) - read // in whole pages of memory
	if from < c.ahead {
		return 0, errRoom
	}
	packed := dst[from : from+read]
	if _, err := f.ReadAt(packed, c.offset); err != nil {
		return 0, err
	}
	packed = packed[:c.packed]
	for at := 0; at < c.bytes; at += blockBytes {
		var ok bool
		if packed, ok = unpack(dst[at:min(at+blockBytes, c.bytes)], packed); !ok {
			return 0, fmt.Errorf("block %d of a copy is damaged", at/blockBytes)
		}
	}
	if xxh3.Hash(dst[:c.bytes]) != c.sum {
		return 0, errors.New("a copy has another checksum than what it is a copy of")
	}
	return read, nil
}

// whole is so many bytes in whole pages.
func whole(bytes int) int { return (bytes + page - 1) / page * page }
