package encoding

import (
	"fmt"
	"hash"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"
)

// Sum is the checksum of a buffer in a chunk of that version.
func Sum(version uint32, buffer []byte) uint64 {
	if version == 1 {
		return xxhash.Sum64(buffer)
	}
	return xxh3.Hash(buffer)
}

// newDigest makes Sum of a buffer's parts.
func newDigest(version uint32) hash.Hash64 {
	if version == 1 {
		return xxhash.New()
	}
	return xxh3.New()
}

// checksumsKey is the last key of a chunk's schema metadata: a checksum for each buffer in Arrow's order, 16
// hexadecimal digits each.
const checksumsKey = "penstock.checksums"

func formatChecksums(sums []uint64) string {
	text := make([]byte, 0, 16*len(sums))
	for _, sum := range sums {
		text = fmt.Appendf(text, "%016x", sum)
	}
	return string(text)
}

func parseChecksums(text string) ([]uint64, error) {
	sums := make([]uint64, len(text)/16)
	for i := range sums {
		digits := text[16*i : 16*i+16]
		sum, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			return nil, Corrupt("header", "%q is not a checksum", digits)
		}
		sums[i] = sum
	}
	if formatChecksums(sums) != text {
		return nil, Corrupt("header", "%s are not whole lower-case numbers", checksumsKey)
	}
	return sums, nil
}
