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

// checksumsKey is the last key of a chunk's schema metadata: a checksum for each buffer in Arrow's order that is not
// empty, before version 3 for each, 16 hexadecimal digits each.
const checksumsKey = "penstock.checksums"

// checked are the checksums that a header of that version has, of the checksums of buffers of those sizes.
func checked(version uint32, sizes []int, sums []uint64) (all []uint64) {
	for i, size := range sizes {
		if size > 0 || version < 3 {
			all = append(all, sums[i])
		}
	}
	return all
}

// allSums are the checksums of all buffers, of which a header has those that are checked; spans are where they lie.
func allSums(version uint32, spans [][2]int64, of []uint64) ([]uint64, error) {
	all := make([]uint64, len(spans))
	left := of
	for i, span := range spans {
		switch {
		case span[1] == 0 && version >= 3:
			all[i] = Sum(version, nil)
		case len(left) > 0:
			all[i], left = left[0], left[1:]
		default:
			return nil, Corrupt("header", "%d checksums for more buffers", len(of))
		}
	}
	if len(left) > 0 {
		return nil, Corrupt("header", "%d checksums, %d of them of no buffer", len(of), len(left))
	}
	return all, nil
}

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
