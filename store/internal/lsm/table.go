package lsm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"
)

// A table is blocks, then an index of where each block begins, then
//
//	length of the index 4 | checksum of the index | length of that 4
//
// and a block is entries, their offsets, their number, a checksum over all that, and its length. An
// entry is the number of bytes that its key shares with the block's first, the number of other bytes,
// these, and the value. Numbers in entries, and the entries' offsets, are little-endian; all others are big-endian.

// item is a version of a key in a file.
type item struct {
	key     string
	version uint64
	place   place
}

// readTable yields all entries of a table, block by block; their places lack the file. Blocks that are
// damaged are left out.
func readTable(path string, text []byte, yield func(item)) (damage []*Damage) {
	blocks, err := tableBlocks(text)
	if err != nil {
		return []*Damage{{File: path, Offset: -1, Reason: err.Error()}}
	}
	for i, b := range blocks {
		err := readBlock(text, b.offset, b.size, yield)
		if err == nil {
			continue
		}
		lost := &Range{First: b.first}
		if i+1 < len(blocks) {
			lost.End = blocks[i+1].first + "\x00"
		}
		damage = append(damage, &Damage{File: path, Offset: int64(b.offset), Reason: err.Error(), Lost: lost})
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
	if sum.Algo != pb.Checksum_CRC32C || uint64(crc32.Checksum(text, castagnoli)) != sum.Sum {
		return errors.New("its checksum does not match")
	}
	return nil
}

// tableBlocks reads where a table's blocks are.
func tableBlocks(text []byte) ([]block, error) {
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
	return readIndex(index)
}

// readBlock checks a block and yields its entries.
func readBlock(text []byte, offset, size int, yield func(item)) error {
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
		if starts[i] > starts[i+1] || starts[i+1] > len(entries) || starts[i+1]-starts[i] < 4 {
			return errors.New("a block has entries out of order")
		}
		entry := entries[starts[i]:starts[i+1]]
		shared, other := int(binary.LittleEndian.Uint16(entry)), int(binary.LittleEndian.Uint16(entry[2:]))
		if 4+other > len(entry) || shared > len(first) || shared+other < versionSize || shared+other > maxKey {
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
		yield(item{string(y.ParseKey(key)), y.ParseTs(key), p})
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
