package lsm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"
)

// A table is blocks, then an index of where each block begins, then
//
//	length of the index 4 | checksum of the index | length of that 4
//
// and a block is entries, their offsets, their number, a checksum over all that, and its length. An
// entry is the number of bytes that its key shares with the block's first, the number of other bytes, these, and the value. Numbers in an
// entry are little-endian, all others big-endian, but for the entries' offsets.

// item is a version of a key in a file.
type item struct {
	key     string
	version uint64
	place   place
}

// readTable yields all entries of a table, block by block. Blocks that are damaged are left out.
func readTable(path string, file *os.File, yield func(item)) (damage []*Damage) {
	text, err := readAll(file)
	if err != nil {
		return []*Damage{{File: path, Offset: -1, Reason: err.Error()}}
	}
	index, err := tableIndex(text)
	if err != nil {
		return []*Damage{{File: path, Offset: -1, Reason: err.Error()}}
	}
	var at, next fb.BlockOffset
	for i := range index.OffsetsLength() {
		index.Offsets(&at, i)
		err := readBlock(text, int(at.Offset()), int(at.Len()), func(key string, version uint64, p place) {
			yield(item{key, version, p.in(file)})
		})
		if err == nil {
			continue
		}
		lost := &Range{First: string(y.ParseKey(at.KeyBytes()))}
		if i+1 < index.OffsetsLength() {
			index.Offsets(&next, i+1)
			lost.End = string(y.ParseKey(next.KeyBytes())) + "\x00"
		}
		damage = append(damage, &Damage{File: path, Offset: int64(at.Offset()), Reason: err.Error(), Lost: lost})
	}
	return damage
}

func readAll(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text := make([]byte, info.Size())
	_, err = file.ReadAt(text, 0)
	return text, err
}

var errShort = errors.New("the file is cut short")

// tail cuts what its last four bytes give the length of from the end of text.
func tail(text []byte) (rest, last []byte, err error) {
	if len(text) < 4 {
		return nil, nil, errShort
	}
	text, size := text[:len(text)-4], int(binary.BigEndian.Uint32(text[len(text)-4:]))
	if size > len(text) {
		return nil, nil, fmt.Errorf("a part claims %d bytes", size)
	}
	return text[:len(text)-size], text[len(text)-size:], nil
}

// checksummed tells whether the checksum in Badger's encoding is that of text.
func checksummed(text, encoded []byte) error {
	var sum pb.Checksum
	if err := proto.Unmarshal(encoded, &sum); err != nil {
		return fmt.Errorf("its checksum cannot be read: %w", err)
	}
	if y.VerifyChecksum(text, &sum) != nil {
		return errors.New("its checksum does not match")
	}
	return nil
}

func tableIndex(text []byte) (*fb.TableIndex, error) {
	rest, sum, err := tail(text)
	if err != nil {
		return nil, err
	}
	_, index, err := tail(rest)
	if err != nil {
		return nil, err
	}
	if err := checksummed(index, sum); err != nil {
		return nil, fmt.Errorf("the index: %w", err)
	}
	if len(index) < 8 {
		return nil, errors.New("it has no index")
	}
	return fb.GetRootAsTableIndex(index, 0), nil
}

// readBlock checks a block and yields its entries; places lack the file.
func readBlock(text []byte, offset, size int, yield func(key string, version uint64, p place)) error {
	if offset > len(text) || size > len(text)-offset {
		return errShort
	}
	block, sum, err := tail(text[offset : offset+size])
	if err != nil {
		return err
	}
	if err := checksummed(block, sum); err != nil {
		return fmt.Errorf("a block: %w", err)
	}
	if len(block) < 4 {
		return errShort
	}
	n := int(binary.BigEndian.Uint32(block[len(block)-4:]))
	if n > (len(block)-4)/4 {
		return fmt.Errorf("a block claims %d entries", n)
	}
	ends := block[len(block)-4-4*n : len(block)-4]
	entries := block[:len(block)-4-4*n]
	starts := make([]int, n+1)
	for i := range n {
		starts[i] = int(binary.LittleEndian.Uint32(ends[4*i:]))
	}
	starts[n] = len(entries)
	var first []byte
	for i := range n {
		if starts[i] > starts[i+1] || starts[i+1]-starts[i] < 4 {
			return errors.New("a block has entries out of order")
		}
		entry := entries[starts[i]:starts[i+1]]
		shared, other := int(binary.LittleEndian.Uint16(entry)), int(binary.LittleEndian.Uint16(entry[2:]))
		if 4+other > len(entry) || shared > len(first) || shared+other < 8 {
			return errors.New("a block has a key that cannot be")
		}
		key := append(append(make([]byte, 0, shared+other), first[:shared]...), entry[4:4+other]...)
		if i == 0 {
			first = key
		}
		p, err := tablePlace(entry[4+other:], int64(offset+starts[i]+4+other))
		if err != nil {
			return err
		}
		yield(string(y.ParseKey(key)), y.ParseTs(key), p)
	}
	return nil
}

// tablePlace reads a value as tables have it: two bytes of marks, when it expires, and the value or the pointer to it.
func tablePlace(value []byte, offset int64) (place, error) {
	if len(value) < 3 {
		return place{}, errShort
	}
	_, size := binary.Uvarint(value[2:])
	if size <= 0 {
		return place{}, errShort
	}
	return newPlace(value[0], value[2+size:], offset+int64(2+size))
}

// place is where a value lies.
type place struct {
	file    *os.File // a table's or a memtable's; nil: in a value log
	log     uint32
	offset  int64
	length  int64 // of the value; in a value log that of its record
	deleted bool
}

// Marks of an entry.
const (
	markDeleted  = 1 << 0
	markPointer  = 1 << 1
	markTxn      = 1 << 6
	markFinished = 1 << 7
)

// in is a place of which file is that of values that are not in a value log.
func (p place) in(file *os.File) place {
	if p.log == 0 { // the first is 1
		p.file = file
	}
	return p
}

const pointerSize = 12

// newPlace is where the value lies that stands at offset, or that the pointer there leads to.
func newPlace(mark byte, value []byte, offset int64) (place, error) {
	p := place{offset: offset, length: int64(len(value)), deleted: mark&markDeleted != 0}
	if mark&markPointer == 0 {
		return p, nil
	}
	if len(value) != pointerSize {
		return place{}, fmt.Errorf("a pointer has %d bytes", len(value))
	}
	p.log = binary.NativeEndian.Uint32(value)
	p.length = int64(binary.NativeEndian.Uint32(value[4:]))
	p.offset = int64(binary.NativeEndian.Uint32(value[8:]))
	if p.offset+p.length > math.MaxUint32 {
		return place{}, errors.New("a pointer leads behind the end of any log")
	}
	return p, nil
}
