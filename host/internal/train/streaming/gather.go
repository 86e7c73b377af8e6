package streaming

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/grid"
)

// Gather reads the rows of some vertices, in any order, of an input whose rows have such a width: neighbors in the
// file are read together.
func (r *Rows) Gather(name string, width int, vertices []uint32, to grid.Rows) error {
	t := r.inputs[name]
	order := make([]int32, len(vertices)) // of rows, as their vertices lie in the file
	sorted := make([]uint32, len(vertices))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(vertices[a], vertices[b]) })
	for k, i := range order {
		sorted[k] = vertices[i]
	}
	if t.offsets != nil {
		return r.gatherSparse(t, sorted, order, to)
	}
	var window []float32
	for at := 0; at < len(sorted); {
		n, span := windowOf(sorted[at:], width)
		window = slices.Grow(window[:0], span*width)[:span*width]
		if err := r.read(window, t.numbers+4*int64(sorted[at])*int64(width)); err != nil {
			return err
		}
		for k := at; k < at+n; k++ {
			from := int(sorted[k]-sorted[at]) * width
			copy(to.Numbers[int(order[k])*width:(int(order[k])+1)*width], window[from:])
		}
		at += n
	}
	return nil
}

// gatherSparse reads rows to where to's offsets say that they begin.
func (r *Rows) gatherSparse(t *tensor, sorted []uint32, order []int32, to grid.Rows) error {
	for k, v := range sorted {
		from, count := t.offsets[v], t.offsets[v+1]-t.offsets[v]
		at := to.Offsets[order[k]]
		if err := r.readBytes(bytesOf(to.Columns[at:at+count]), t.columns+4*from); err != nil {
			return err
		}
		if err := r.read(to.Numbers[at:at+count], t.numbers+4*from); err != nil {
			return err
		}
	}
	return nil
}

// Row is how many numbers a vertex has of an input that is stored sparse.
func (r *Rows) Row(name string, v uint32) int64 {
	offsets := r.inputs[name].offsets
	return offsets[v+1] - offsets[v]
}
