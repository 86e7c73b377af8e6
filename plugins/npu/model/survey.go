package model

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
)

// survey is what is known of the weights before a matrix is made of them.
type survey struct {
	least, largest float64 // +Inf and -Inf where there are no edges
	numbers        bool    // none is infinite or NaN
	whole          bool    // all are whole numbers
	signed         bool    // a 0 has a sign, which the runtime's minima and maxima do not look at
	// few are the different weights, ascending; nil: there are more than mostFew.
	few []float64
}

// count takes note of a weight that is another than all before, as long as they are few.
func (s *survey) count(w float64) {
	if s.few == nil || w != w {
		return
	}
	at, found := slices.BinarySearch(s.few, w)
	if found {
		return
	}
	if s.few = slices.Insert(s.few, at, w); len(s.few) > mostFew {
		s.few = nil
	}
}

func isSigned(x float64) bool { return x == 0 && math.Signbit(x) }

func (b *building) survey() survey {
	s := survey{least: math.Inf(1), largest: math.Inf(-1), numbers: true, whole: true, few: []float64{}}
	for r := range b.edges {
		for _, w := range r.Weights[0] {
			s.least, s.largest = min(s.least, w), max(s.largest, w)
			s.numbers = s.numbers && w-w == 0
			s.whole = s.whole && w == math.Trunc(w)
			s.signed = s.signed || isSigned(w)
			s.count(w)
		}
	}
	return s
}

// weigh enters the weights of edges. Where there is one already, fold makes one of two; it is false
// where that is not the same.
func weigh[T float64 | uint8](m *blockwise.Matrix[T], edges Edges, fold func(a, w T) (T, bool)) bool {
	for r := range edges {
		row := m.Row(r.Target)
		for k, source := range r.Sources {
			w, ok := T(r.Weights[0][k]), true
			if row[source] != m.Absent {
				w, ok = fold(row[source], w)
			}
			if !ok || w == m.Absent {
				return false
			}
			row[source] = w
		}
	}
	return true
}
