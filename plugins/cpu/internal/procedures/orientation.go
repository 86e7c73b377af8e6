package procedures

import "github.com/penstock-db/penstock/plugins/cpu/internal/csr"

// Oriented are the lists that the parameter orientation names, and how many entries each vertex has in them.
func (f Input) Oriented(chunks []*csr.Chunk) (lists []csr.Index, degrees [][]int64) {
	out, in := csr.Sides(f.Graph.Directed, chunks)
	leaving, coming := f.Columns["out_degree"].Ints, f.Columns["in_degree"].Ints
	switch orientation := f.Args.Strings["orientation"]; {
	case !f.Graph.Directed || orientation == "natural":
		return []csr.Index{out}, [][]int64{leaving}
	case orientation == "reverse":
		return []csr.Index{in}, [][]int64{coming}
	}
	return []csr.Index{out, in}, [][]int64{leaving, coming}
}
