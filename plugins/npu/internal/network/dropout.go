package network

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// rows are those that a portion of a batch has of the whole, by which dropouts know them; nil: it is the whole.
type rows []uint32

func (r rows) of(v int) uint64 {
	if r == nil {
		return uint64(v)
	}
	return uint64(r[v])
}

// rowFactors draws the factors of a dropout for vertices from first on.
func rowFactors(to []float32, mask *dataflow.Value, d dataflow.Dropout, whole rows, first int) {
	key, width := d.Key(mask), mask.Width
	for i := range len(to) / width {
		row := key.Row(whole.of(first + i))
		for j := range width {
			to[i*width+j] = float32(row.Factor(j))
		}
	}
}

// pairFactors draws those of the edges of vertices from first on: width × rows × columns, 0 where there is no edge.
func pairFactors(to []float32, mask *dataflow.Value, d dataflow.Dropout, whole rows, end dataflow.End, p *pairs,
	first, rows int) {
	clear(to)
	key := d.Key(mask)
	for v := first; v < first+rows; v++ {
		again := 0
		for e := p.lists.Offsets[v]; e < p.lists.Offsets[v+1]; e++ {
			other := p.lists.Others[e]
			if e > p.lists.Offsets[v] && other == p.lists.Others[e-1] {
				again++
			} else {
				again = 0
			}
			source, target := whole.of(int(other)), whole.of(v)
			if end == dataflow.AtSource {
				source, target = target, source
			}
			row := key.Row(dataflow.EdgeRow(source, target))
			at := (v-first)*p.width + p.column(other, again)
			for j := range mask.Width {
				to[j*rows*p.width+at] = float32(row.Factor(j))
			}
		}
	}
}

// sparse are rows of which only what is not 0 is given.
type sparse struct {
	offsets []int64
	columns []uint32
	numbers []float32
}

// dense writes all numbers of rows to zeros.
func (s *sparse) dense(to []float32, width int) {
	for v := range len(s.offsets) - 1 {
		for e := s.offsets[v]; e < s.offsets[v+1]; e++ {
			to[v*width+int(s.columns[e])] += s.numbers[e]
		}
	}
}

// drop writes rows times the factors of a dropout over those that an earlier call has written.
func (s *sparse) drop(to []float32, mask *dataflow.Value, d dataflow.Dropout, whole rows) {
	key, width := d.Key(mask), mask.Width
	for v := range len(s.offsets) - 1 {
		row := key.Row(whole.of(v))
		for e := s.offsets[v]; e < s.offsets[v+1]; e++ {
			to[v*width+int(s.columns[e])] = s.numbers[e] * float32(row.Factor(int(s.columns[e])))
		}
	}
}

// fits says whether there are n rows of width numbers.
func (s *sparse) fits(n, width int) bool {
	if len(s.offsets) != n+1 || s.offsets[0] != 0 || int64(len(s.columns)) != s.offsets[n] ||
		len(s.numbers) != len(s.columns) {
		return false
	}
	for v := range n {
		if s.offsets[v] > s.offsets[v+1] {
			return false
		}
	}
	for _, c := range s.columns {
		if int(c) >= width {
			return false
		}
	}
	return true
}
