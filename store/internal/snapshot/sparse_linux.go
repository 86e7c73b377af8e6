package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Of a chunk so many reads are under way at once, each of so many pages at most: a disk that takes some 100 µs to
// answer gives four at once what it gives one in that time, and what one has brought is proven while others wait.
const (
	reads     = 4
	mostPages = 8
)

// ListsRoom is how many bytes ReadLists needs beside the chunk's: what a chunk's blocks have more than the chunk, and
// for each read the blocks at both ends that have bytes of other pages as well.
const ListsRoom = UncachedRoom + (1+2*reads)*DirectBlock

// Reading is what it took to read of a chunk what was asked for.
type Reading struct {
	Bytes int // that were read
	Reads int // of the file
	Waits int // for reads, all of which began before the first had ended
}

// ReadLists reads what is asked for of a chunk's topology, past the system's cache, to buf, which has info.Bytes
// and ListsRoom. ask is given the chunk without its neighbors, and says which of them are to be there:
// [from, to) of Neighbors, ascending. Nothing else of these may be looked at. Each page is compared with its own
// checksum before any of it is looked at.
//
// It waits twice: for the chunk's end and all that comes before the neighbors, whose place follows from what the
// manifest says of the chunk; and for the neighbors.
//
// What cannot be read so, or is damaged, is an error that says why: the caller reads the whole chunk then, which has
// checksums of its own. errors.ErrUnsupported: the chunk's pages have none, or there are no direct reads.
func (s *Snapshot) ReadLists(ctx context.Context, info manifest.ChunkInfo, buf []byte,
	ask func(*chunk.Chunk) iter.Seq2[int, int]) (c *chunk.Chunk, took Reading, err error) {
	if err := ctx.Err(); err != nil {
		return nil, took, err
	}
	if !info.HasPages() {
		return nil, took, fmt.Errorf("its pages have no checksums: %w", errors.ErrUnsupported)
	}
	at, err := s.Direct.place(s, info)
	if err != nil {
		return nil, took, err
	}
	p := newSparse(info, at, buf)
	p.want(0, info.BeforeNeighbors())
	c, neighbors, err := chunk.OpenSparse(p.buf, p.fetch)
	if err != nil {
		return nil, p.took, err
	}
	if err = info.Check(c.Meta()); err == nil {
		for from, to := range ask(c) {
			p.want(neighbors+4*from, neighbors+4*to)
		}
		err = p.bring()
	}
	if err != nil {
		c.Release()
		return nil, p.took, err
	}
	return c, p.took, nil
}

// sparse is a chunk of which pages are read as they are wanted. It lies in memory as it does in the blocks of its file,
// so that these are read to where they belong.
type sparse struct {
	info  manifest.ChunkInfo
	at    DirectPlace
	block []byte      // the blocks that the chunk lies in
	buf   []byte      // of these, the chunk
	ends  chan []byte // for each read, a block for either end
	there []bool      // by page: it has been read and proven
	ask   []bool      // by page: it is to be read
	took  Reading
}

func newSparse(info manifest.ChunkInfo, at DirectPlace, buf []byte) *sparse {
	pages := int((info.Bytes + manifest.PageBytes - 1) / manifest.PageBytes)
	skip := at.Offset % DirectBlock
	p := &sparse{info: info, at: at, block: FromBlock(buf), ends: make(chan []byte, reads),
		there: make([]bool, pages), ask: make([]bool, pages)}
	p.buf = p.block[skip:][:info.Bytes]
	for rest := FromBlock(p.block[skip+info.Bytes:]); len(p.ends) < reads; rest = rest[2*DirectBlock:] {
		p.ends <- rest[:2*DirectBlock]
	}
	return p
}

// want has bytes [from, to) of the chunk read by the next bring.
func (p *sparse) want(from, to int) {
	for page := from / manifest.PageBytes; page < len(p.ask) && page*manifest.PageBytes < to; page++ {
		p.ask[page] = !p.there[page]
	}
}

// fetch has bytes [from, to) of the chunk in buf.
func (p *sparse) fetch(from, to int) error {
	p.want(from, to)
	return p.bring()
}

// bring reads what is wanted, as many pages at once as lie side by side.
func (p *sparse) bring() error {
	var all errgroup.Group
	before := p.took.Reads
	for first := range p.ask {
		end := first
		for ; end < min(len(p.ask), first+mostPages) && p.ask[end]; end++ {
			p.there[end], p.ask[end] = true, false // if this fails, nothing of the chunk is looked at
		}
		if end == first {
			continue
		}
		from, to := first*manifest.PageBytes, min(end*manifest.PageBytes, len(p.buf))
		ends := <-p.ends
		all.Go(func() error {
			defer func() { p.ends <- ends }()
			if err := p.readTo(from, to, ends); err != nil {
				return err
			}
			return p.info.VerifyPages(first, p.buf[from:to])
		})
		p.took.Reads++
		p.took.Bytes += blocksAround(p.at.Offset+int64(from), to-from)
	}
	if p.took.Reads > before {
		p.took.Waits++
	}
	return all.Wait()
}

// blocksAround is how many bytes the blocks have that hold so many from an offset on.
func blocksAround(offset int64, bytes int) int {
	return (int(offset%DirectBlock) + bytes + DirectBlock - 1) / DirectBlock * DirectBlock
}

// readTo reads bytes [from, to) of the chunk to where they belong, but for those blocks at the ends that have others as
// well: these are read elsewhere, and what is wanted of them is copied.
func (p *sparse) readTo(from, to int, ends []byte) error {
	begin := p.at.Offset + int64(from)
	skip := int(begin % DirectBlock)
	blocks := blocksAround(begin, to-from)
	base := p.block[int(p.at.Offset%DirectBlock)+from-skip:][:blocks]
	first, last := ends[:DirectBlock], ends[DirectBlock:]
	parts := [][]byte{first}
	if blocks > 2*DirectBlock {
		parts = append(parts, base[DirectBlock:blocks-DirectBlock])
	}
	if blocks > DirectBlock {
		parts = append(parts, last)
	}
	if err := readParts(p.at.File.File, parts, begin-int64(skip), skip+to-from); err != nil {
		return fmt.Errorf("direct read of %s: %w", p.at.File.Name(), err)
	}
	copy(base[skip:min(DirectBlock, skip+to-from)], first[skip:])
	if tail := blocks - DirectBlock; tail > 0 {
		copy(base[tail:skip+to-from], last)
	}
	return nil
}

// readParts reads at least need bytes into parts, which are blocks, one after the other.
func readParts(file *os.File, parts [][]byte, offset int64, need int) error {
	for {
		n, err := unix.Preadv(int(file.Fd()), parts, offset)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n < need: // a file that ends before: direct reads bring all that there is
			return io.ErrUnexpectedEOF
		default:
			return nil
		}
	}
}
