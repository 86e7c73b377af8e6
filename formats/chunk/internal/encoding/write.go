package encoding

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/cespare/xxhash/v2"
)

// Size is how many bytes Write writes.
func Size(version uint32, schema *arrow.Schema, b Batch) int {
	return headerSize(version, schema, b) + b.Size() + TailSize
}

// Write writes a chunk of that version to the start of dst, which is aligned and has Size bytes (*BufferError), and
// returns its length. fill writes the batch's buffers, each at a multiple of Alignment, with zeroes up to the next, and
// returns the checksum of each. The header around them comes last.
func Write(dst []byte, version uint32, schema *arrow.Schema, b Batch, fill func(body []byte) ([]uint64, error)) (int,
	error) {
	start := headerSize(version, schema, b)
	end := start + b.Size()
	if off := Misaligned(dst); off != 0 || len(dst) < end+TailSize {
		return 0, &BufferError{Need: end + TailSize, Have: len(dst), Misaligned: off}
	}
	sums, err := fill(dst[start:end])
	if err != nil {
		return 0, err
	}
	header := encodeHeader(version, schema, b, sums)
	t := Trailer{Version: version, Header: uint32(copy(dst, header)), Length: uint64(end + TailSize),
		Hash: xxhash.Sum64(header)}
	t.Encode(dst[end : end+TailSize])
	return end + TailSize, nil
}

// headerSize is how long encodeHeader's answer will be.
func headerSize(version uint32, schema *arrow.Schema, b Batch) int {
	return len(encodeHeader(version, schema, b, make([]uint64, len(b.Sizes))))
}
