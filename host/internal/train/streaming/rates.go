package streaming

import (
	"math"
	"time"
)

// Rates are the seconds that a row takes: to be read to its place together with others; to be read to a window, which
// stays in a processor's cache; and to be copied from there.
type Rates struct{ Load, Window, Copy float64 }

// The rows that rates are measured with.
const (
	sampleWidth = 64
	sampleRows  = 1 << 15
)

// Filters says whether it is worth it to pick the rows of some vertices, in ascending order, and not to read those of
// all: the filter of NeuGraph, section 3.2, by what either costs. What lies between picked rows is read as well, and
// then they are copied, but for those that follow each other.
func (r Rates) Filters(vertices []uint32, all int) bool {
	cost := 0.0
	for len(vertices) > 0 {
		n, span := windowOf(vertices, sampleWidth)
		if span == n {
			cost += float64(n) * r.Load
		} else {
			cost += float64(span)*r.Window + float64(n)*r.Copy
		}
		vertices = vertices[n:]
	}
	return cost < float64(all)*r.Load
}

// Measure measures rates on what has been written, warm: the best of some tries.
func (r *Rows) Measure() (Rates, error) {
	rates := Rates{math.Inf(1), math.Inf(1), math.Inf(1)}
	const each = windowBytes / 4 / sampleWidth // rows of a window
	rows := min(sampleRows, r.size/(4*sampleWidth)) / each * each
	if rows == 0 {
		return Rates{1, 1, 1}, nil
	}
	to, window := make([]float32, rows*sampleWidth), make([]float32, each*sampleWidth)
	read := func(first int64, to []float32) error { return r.read(to, 4*sampleWidth*first) }
	for range 4 {
		began := time.Now()
		if err := read(0, to); err != nil {
			return rates, err
		}
		rates.Load = min(rates.Load, time.Since(began).Seconds()/float64(rows))
		windows, copies := time.Duration(0), time.Duration(0)
		for first := int64(0); first < rows; first += each {
			began := time.Now()
			if err := read(first, window); err != nil {
				return rates, err
			}
			windows += time.Since(began)
			began = time.Now()
			for v := int64(0); v < each; v += 2 {
				copy(to[(first+v/2)*sampleWidth:(first+v/2+1)*sampleWidth], window[v*sampleWidth:])
			}
			copies += time.Since(began)
		}
		rates.Window = min(rates.Window, windows.Seconds()/float64(rows))
		rates.Copy = min(rates.Copy, copies.Seconds()/float64(rows/2))
	}
	return rates, nil
}
