package lsm

import (
	"encoding/binary"
	"errors"

	"github.com/dgraph-io/badger/v4/y"
)

// The index of a table is a FlatBuffer, of which we need this much:
//
//	table TableIndex  { offsets: [BlockOffset]; … }
//	table BlockOffset { key: [ubyte]; offset: uint; len: uint; }
//
// The accessors that Badger generates for it trust every number in it. Those here check each.

// block is where a block of a table lies, and its first key.
type block struct {
	offset, size int
	first        string // without the version
}

// minBlock is less than any block has: a number of entries, a checksum, and the length of that.
const minBlock = 8

var errIndex = errors.New("the index leads out of itself")

// readIndex reads where the blocks are. They follow one another, so there are at most as many as
// the table has room for.
func readIndex(index []byte) (blocks []block, err error) {
	b := flatBuffer{text: index}
	list, n := b.vector(b.field(b.follow(0), 0), 4)
	end := 0
	for i := range n {
		at := b.follow(list + 4*i)
		key, size := b.vector(b.field(at, 0), 1)
		next := block{offset: b.scalar(b.field(at, 1)), size: b.scalar(b.field(at, 2))}
		switch {
		case b.err != nil:
			return nil, b.err
		case size < versionSize || size > maxKey:
			return nil, errors.New("the index has a key that cannot be")
		case next.offset < end || next.size < minBlock:
			return nil, errors.New("the index has blocks out of order")
		}
		end = next.offset + next.size
		next.first = string(y.ParseKey(index[key : key+size]))
		blocks = append(blocks, next)
	}
	return blocks, b.err
}

// flatBuffer reads a FlatBuffer. After the first number that leads out of it, err is set, and all that it reads is 0.
type flatBuffer struct {
	text []byte
	err  error
}

// number reads a number of so many bytes.
func (b *flatBuffer) number(at, size int) int {
	if b.err != nil || at < 0 || at > len(b.text)-size {
		b.err = errIndex
		return 0
	}
	if size == 2 {
		return int(binary.LittleEndian.Uint16(b.text[at:]))
	}
	return int(binary.LittleEndian.Uint32(b.text[at:]))
}

// follow is where the offset at a position leads to.
func (b *flatBuffer) follow(at int) int { return at + b.number(at, 4) }

// field is where field n of the table at a position is; 0: it has its default, zero or empty.
func (b *flatBuffer) field(table, n int) int {
	fields := table - int(int32(b.number(table, 4)))
	slot := 4 + 2*n
	if slot+2 > b.number(fields, 2) {
		return 0
	}
	if offset := b.number(fields+slot, 2); offset > 0 {
		return table + offset
	}
	return 0
}

func (b *flatBuffer) scalar(field int) int {
	if field == 0 {
		return 0
	}
	return b.number(field, 4)
}

// vector is where the elements of a vector begin, of so many bytes each, and their number.
func (b *flatBuffer) vector(field, size int) (first, n int) {
	if field == 0 {
		return 0, 0
	}
	at := b.follow(field)
	n = b.number(at, 4)
	if b.err == nil && n > (len(b.text)-at-4)/size {
		b.err = errIndex
	}
	if b.err != nil {
		return 0, 0
	}
	return at + 4, n
}
