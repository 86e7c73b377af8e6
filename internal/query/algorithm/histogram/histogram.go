// Package histogram tells how numbers are distributed, as Neo4j GDS does.
package histogram

import (
	"maps"
	"math"
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

// Histogram counts numbers by their first digits: a percentile is at most 0.1 % above what it is. The least, the
// largest and the mean are exact.
type Histogram struct {
	counts   map[int64]int // by ordered
	n        int
	sum      float64
	min, max float64
}

// The bits of a number that a bucket does not tell apart.
const bucketBits = 42

// ordered is the bucket of a number: larger numbers have larger ones.
func ordered(x float64) int64 {
	bits := int64(math.Float64bits(math.Abs(x)) >> bucketBits)
	if x < 0 {
		return -bits - 1
	}
	return bits
}

// top is the largest number in a bucket.
func top(bucket int64) float64 {
	if bucket < 0 {
		return -math.Float64frombits(uint64(-bucket-1) << bucketBits)
	}
	return math.Float64frombits(uint64(bucket)<<bucketBits | (1<<bucketBits - 1))
}

// Add counts a number.
func (h *Histogram) Add(x float64) {
	if h.n == 0 {
		h.counts, h.min, h.max = map[int64]int{}, x, x
	}
	h.counts[ordered(x)]++
	h.n, h.sum, h.min, h.max = h.n+1, h.sum+x, min(h.min, x), max(h.max, x)
}

// Value is the map that GDS has.
func (h *Histogram) Value() value.Value {
	if h.n == 0 {
		return value.OfEntries(nil)
	}
	entries := []value.Entry{{Key: "max", Value: value.OfFloat(h.max)},
		{Key: "mean", Value: value.OfFloat(h.sum / float64(h.n))}, {Key: "min", Value: value.OfFloat(h.min)}}
	buckets := slices.Sorted(maps.Keys(h.counts))
	for _, p := range []struct {
		name  string
		share float64
	}{{"p1", 0.01}, {"p10", 0.1}, {"p25", 0.25}, {"p5", 0.05}, {"p50", 0.5}, {"p75", 0.75}, {"p90", 0.9}, {"p95", 0.95},
		{"p99", 0.99}, {"p999", 0.999}, {"p100", 1}} {
		wanted := max(1, int(math.Ceil(p.share*float64(h.n))))
		at, below := 0, h.counts[buckets[0]]
		for below < wanted {
			at++
			below += h.counts[buckets[at]]
		}
		entries = append(entries, value.Entry{Key: p.name, Value: value.OfFloat(min(max(top(buckets[at]), h.min), h.max))})
	}
	return value.OfEntries(entries)
}
