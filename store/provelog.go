package store

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// proveLog reads the entries of a value log that begin before end, and compares their checksums.
// Badger copies a log only up to the first entry with a bad one, and then removes it.
//
// An entry is
//
//	flags (2 bytes) | length of key, of value, expiry (varints) | key | value | CRC-32C of all that
//
// Errors: *DamagedError.
func proveLog(path string, number uint64, end int64) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Seek(vlogHeader, io.SeekStart); err != nil {
		return err
	}
	entries := &entryReader{from: bufio.NewReaderSize(file, 1<<20), at: vlogHeader}
	for entries.at < end {
		begin := entries.at
		if err := entries.next(); err != nil {
			return &DamagedError{Kind: "value log", Number: int64(number), Err: fmt.Errorf("entry at byte %d: %w", begin, err)}
		}
	}
	return nil
}

// entryReader reads the entries of a value log and sums up what it reads.
type entryReader struct {
	from *bufio.Reader
	at   int64
	sum  uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ReadByte is for varints.
func (r *entryReader) ReadByte() (byte, error) {
	b, err := r.from.ReadByte()
	if err == nil {
		r.at++
		r.sum = crc32.Update(r.sum, castagnoli, []byte{b})
	}
	return b, err
}

// Write sums up a part of the key and value.
func (r *entryReader) Write(part []byte) (int, error) {
	r.at += int64(len(part))
	r.sum = crc32.Update(r.sum, castagnoli, part)
	return len(part), nil
}

// next reads an entry.
func (r *entryReader) next() error {
	r.sum = 0
	var lengths [3]uint64
	for range 2 {
		if _, err := r.ReadByte(); err != nil {
			return err
		}
	}
	for i := range lengths {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		lengths[i] = n
	}
	key, value := lengths[0], lengths[1]
	if key > 1<<16 || value > 1<<32 {
		return errChecksum
	}
	if _, err := io.CopyN(r, r.from, int64(key+value)); err != nil {
		return err
	}
	var sum [crc32.Size]byte
	if _, err := io.ReadFull(r.from, sum[:]); err != nil {
		return err
	}
	r.at += crc32.Size
	if binary.BigEndian.Uint32(sum[:]) != r.sum {
		return errChecksum
	}
	return nil
}
