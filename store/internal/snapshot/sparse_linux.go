package snapshot

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// mostPages is how many pages are read at once.
const mostPages = 8

// ListsRoom is how many bytes ReadLists needs beside the chunk's, where what is read waits until it is proven.
const ListsRoom = mostPages*manifest.PageBytes + UncachedRoom + DirectBlock

// ReadLists reads what is asked for of a chunk's topology, past the system's cache, to buf, which is zeroed and has
// info.Bytes and ListsRoom. ask is given the chunk without its neighbors, and says which of them are to be there:
// [from, to) of Neighbors, ascending. Nothing else of these may be looked at. Each page is compared with its own
// checksum, in that room, before any of it is in its place. read is how many bytes were read.
//
// What cannot be read so, or is damaged, is an error that says why: the caller reads the whole chunk then, which has
// checksums of its own. errors.ErrUnsupported: the chunk's pages have none, or there are no direct reads.
func (s *Snapshot) ReadLists(ctx context.Context, info manifest.ChunkInfo, buf []byte,
	ask func(*chunk.Chunk) iter.Seq2[int, int]) (c *chunk.Chunk, read int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if !info.HasPages() {
		return nil, 0, fmt.Errorf("its pages have no checksums: %w", errors.ErrUnsupported)
	}
	at, err := s.Direct.place(s, info)
	if err != nil {
		return nil, 0, err
	}
	p := newSparse(info, at, buf)
	c, neighbors, err := chunk.OpenSparse(p.buf, p.fetch)
	if err != nil {
		return nil, p.read, err
	}
	if err = info.Check(c.Meta()); err == nil {
		for from, to := range ask(c) {
			p.want(neighbors+4*from, neighbors+4*to)
		}
		err = p.bring()
	}
	if err != nil {
		c.Release()
		return nil, p.read, err
	}
	return c, p.read, nil
}

// sparse is a chunk of which pages are read as they are wanted.
type sparse struct {
	info  manifest.ChunkInfo
	at    DirectPlace
	buf   []byte
	room  []byte // from a block's address
	there []bool // by page: it has been read and proven
	ask   []bool // by page: it is to be read
	read  int    // bytes
}

func newSparse(info manifest.ChunkInfo, at DirectPlace, buf []byte) *sparse {
	pages := int((info.Bytes + manifest.PageBytes - 1) / manifest.PageBytes)
	return &sparse{info: info, at: at, buf: buf[:info.Bytes], room: FromBlock(buf[info.Bytes:]),
		there: make([]bool, pages), ask: make([]bool, pages)}
}

// want has bytes [from, to) of the chunk read by the next bring.
func (p *sparse) want(from, to int) {
	for page := from / manifest.PageBytes; page*manifest.PageBytes < to; page++ {
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
	for first := 0; first < len(p.ask); first++ {
		end := first
		for end < min(len(p.ask), first+mostPages) && p.ask[end] {
			end++
		}
		if end == first {
			continue
		}
		if err := p.readPages(first, end); err != nil {
			return err
		}
		for page := first; page < end; page++ {
			p.there[page], p.ask[page] = true, false
		}
		first = end - 1
	}
	return nil
}

// readPages reads pages [first, end), proves them and puts them into buf.
func (p *sparse) readPages(first, end int) error {
	from, to := int64(first*manifest.PageBytes), min(int64(end*manifest.PageBytes), p.info.Bytes)
	begin := p.at.Offset + from
	skip := begin % DirectBlock
	blocks := (skip + to - from + DirectBlock - 1) / DirectBlock * DirectBlock
	dst := p.room[:blocks]
	if err := ReadBlocks(p.at.File.File, dst, begin-skip, int(skip+to-from)); err != nil {
		return fmt.Errorf("direct read of %s: %w", p.at.File.Name(), err)
	}
	p.read += int(blocks)
	pages := dst[skip : skip+to-from]
	if err := p.info.VerifyPages(first, pages); err != nil {
		return err
	}
	copy(p.buf[from:], pages)
	return nil
}
