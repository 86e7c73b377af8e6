package manifest

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// PageBytes is how much of a chunk has a checksum of its own: less is not read of it.
const PageBytes = 64 << 10

// sumBytes is what a checksum takes in Pages.
const sumBytes = 8

// PageSums are the XXH3 checksums of an encoded chunk's pages, the last of which may be shorter, little-endian one
// after another.
func PageSums(encoded []byte) []byte {
	var sums []byte
	for from := 0; from < len(encoded); from += PageBytes {
		sums = binary.LittleEndian.AppendUint64(sums, xxh3.Hash(encoded[from:min(from+PageBytes, len(encoded))]))
	}
	return sums
}

// HasPages tells whether the chunk's pages have checksums: in graphs of earlier programs they have none, nor where an
// edge column is of a type whose values differ in width.
func (info ChunkInfo) HasPages() bool {
	return info.Bytes > 0 && int64(len(info.Pages)) == (info.Bytes+PageBytes-1)/PageBytes*sumBytes
}

// VerifyPages tells whether bytes are, undamaged, the chunk's pages from number first on.
func (info ChunkInfo) VerifyPages(first int, bytes []byte) error {
	sums := PageSums(bytes)
	from := first * sumBytes
	if !info.HasPages() || from+len(sums) > len(info.Pages) {
		return fmt.Errorf("it has no checksums for pages %d to %d", first, first+len(sums)/sumBytes-1)
	}
	for at := 0; at < len(sums); at += sumBytes {
		got, want := binary.LittleEndian.Uint64(sums[at:]), binary.LittleEndian.Uint64(info.Pages[from+at:])
		if got != want {
			return fmt.Errorf("page %d: checksum is %016x; %016x was written", first+at/sumBytes, got, want)
		}
	}
	return nil
}
