package chunk

import (
	"fmt"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
)

// metadataKeys of the Arrow schema, in the order in which they are written. Integers
// are decimal; checksums are one for each buffer (checksum.go) in Arrow's order, 16
// hexadecimal digits each.
var metadataKeys = [...]string{
	"penstock.version", "penstock.graph", "penstock.snapshot", "penstock.direction",
	"penstock.row_base", "penstock.row_count", "penstock.column_base", "penstock.column_count",
	"penstock.rows", "penstock.edges", "penstock.degree_min", "penstock.degree_max",
	"penstock.checksums",
}

// contentKeys are those before the checksums, which only an encoded chunk has.
var contentKeys = metadataKeys[:len(metadataKeys)-1]

// checksumsKey is the last of metadataKeys.
var checksumsKey = metadataKeys[len(metadataKeys)-1]

func metadataOf(h head) arrow.Metadata {
	meta, stats := h.meta, h.stats
	decimal := func(n uint64) string { return strconv.FormatUint(n, 10) }
	return arrow.NewMetadata(contentKeys, []string{
		decimal(uint64(h.version)), meta.Graph, decimal(meta.Snapshot), meta.Direction.String(),
		decimal(meta.Rows.Base), decimal(meta.Rows.Count), decimal(meta.Cols.Base), decimal(meta.Cols.Count),
		decimal(uint64(stats.Rows)), decimal(uint64(stats.Edges)),
		decimal(uint64(stats.MinDegree)), decimal(uint64(stats.MaxDegree)),
	})
}

// metadataReader takes apart the values that metadataOf put together. The first
// value that is not as it would have been written stays in err.
type metadataReader struct {
	values []string
	err    error
}

func parseMetadata(trailer uint32, values []string) (head, error) {
	r := metadataReader{values: values}
	version := r.number(0)
	m := Meta{Graph: values[1], Snapshot: r.number(2), Direction: r.direction(3)}
	m.Rows = Interval{Base: r.number(4), Count: r.number(5)}
	m.Cols = Interval{Base: r.number(6), Count: r.number(7)}
	s := Stats{Rows: r.count(8), Edges: r.count(9), MinDegree: r.count(10), MaxDegree: r.count(11)}
	if r.err == nil && version != uint64(trailer) {
		r.err = corrupt("header", "%s is %d; the trailer says %d", metadataKeys[0], version, trailer)
	}
	return head{trailer, m, s}, r.err
}

func (r *metadataReader) number(i int) uint64 {
	n, err := strconv.ParseUint(r.values[i], 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != r.values[i] {
		r.fail(i, "a decimal number")
	}
	return n
}

func (r *metadataReader) count(i int) int {
	n := r.number(i)
	if n > math.MaxInt32 {
		r.fail(i, "at most 2^31-1")
	}
	return int(n)
}

func (r *metadataReader) direction(i int) Direction {
	d, err := ParseDirection(r.values[i])
	if err != nil {
		r.fail(i, "out, in or both")
	}
	return d
}

func (r *metadataReader) fail(i int, expected string) {
	if r.err == nil {
		r.err = corrupt("header", "%s is %q; expected %s", metadataKeys[i], r.values[i], expected)
	}
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
			return nil, corrupt("header", "%q is not a checksum", digits)
		}
		sums[i] = sum
	}
	if formatChecksums(sums) != text {
		return nil, corrupt("header", "%s are not whole lower-case numbers", checksumsKey)
	}
	return sums, nil
}
