package chunk

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// metadataKey of the Arrow schema has all that a chunk says of itself in one line, separated by spaces: the values of
// earlierKeys in their order, but for the graph's name, which comes last and may have spaces. Integers are decimal.
// Behind it an encoded chunk has its checksums. A key for each value, as before version 3, is most of the header of a
// short list.
const metadataKey = "penstock"

// earlierKeys of the Arrow schema had a value each before version 3, in this order.
var earlierKeys = [...]string{
	"penstock.version", "penstock.graph", "penstock.snapshot", "penstock.direction",
	"penstock.row_base", "penstock.row_count", "penstock.column_base", "penstock.column_count",
	"penstock.rows", "penstock.edges", "penstock.degree_min", "penstock.degree_max",
}

func metadataOf(h head) arrow.Metadata {
	meta, stats := h.meta, h.stats
	decimal := func(n uint64) string { return strconv.FormatUint(n, 10) }
	values := []string{
		decimal(uint64(h.version)), meta.Graph, decimal(meta.Snapshot), meta.Direction.String(),
		decimal(meta.Rows.Base), decimal(meta.Rows.Count), decimal(meta.Cols.Base), decimal(meta.Cols.Count),
		decimal(uint64(stats.Rows)), decimal(uint64(stats.Edges)),
		decimal(uint64(stats.MinDegree)), decimal(uint64(stats.MaxDegree)),
	}
	if h.version < 3 {
		return arrow.NewMetadata(earlierKeys[:], values)
	}
	return arrow.NewMetadata([]string{metadataKey}, []string{line(values)})
}

// graphValue is which of the values is the graph's name.
const graphValue = 1

// line is all values in one; valuesOf takes it apart again, and gives fewer where there are fewer.
func line(values []string) string {
	return strings.Join(append(slices.Delete(slices.Clone(values), graphValue, graphValue+1), values[graphValue]), " ")
}

func valuesOf(line string) []string {
	values := strings.SplitN(line, " ", len(earlierKeys))
	if last := len(values) - 1; last == len(earlierKeys)-1 {
		values = slices.Insert(values[:last], graphValue, values[last])
	}
	return values
}

// metadataReader takes apart the values that metadataOf put together. The first
// value that is not as it would have been written stays in err.
type metadataReader struct {
	values []string
	err    error
}

func parseMetadata(h *encoding.Header) (head, error) {
	keys, values := earlierKeys[:], h.Values
	if h.Version >= 3 {
		keys = []string{metadataKey}
	}
	for i, key := range h.Keys {
		if i >= len(keys) || key != keys[i] {
			return head{}, encoding.Corrupt("header", "unexpected metadata %q", key)
		}
	}
	if len(h.Keys) != len(keys) {
		return head{}, encoding.Corrupt("header", "%d metadata entries; expected %d", len(h.Keys), len(keys))
	}
	if h.Version >= 3 {
		if values = valuesOf(h.Values[0]); len(values) != len(earlierKeys) {
			return head{}, encoding.Corrupt("header", "%d values in %s; expected %d", len(values), metadataKey, len(earlierKeys))
		}
	}
	r := metadataReader{values: values}
	version := r.number(0)
	m := Meta{Graph: values[1], Snapshot: r.number(2), Direction: r.direction(3)}
	m.Rows = Interval{Base: r.number(4), Count: r.number(5)}
	m.Cols = Interval{Base: r.number(6), Count: r.number(7)}
	s := Stats{Rows: r.count(8), Edges: r.count(9), MinDegree: r.count(10), MaxDegree: r.count(11)}
	if r.err == nil && version != uint64(h.Version) {
		r.err = encoding.Corrupt("header", "%s is %d; the trailer says %d", earlierKeys[0], version, h.Version)
	}
	return head{h.Version, m, s}, r.err
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
		r.err = encoding.Corrupt("header", "%s is %q; expected %s", earlierKeys[i], r.values[i], expected)
	}
}
