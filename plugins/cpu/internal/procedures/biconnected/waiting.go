package biconnected

import "github.com/penstock-db/penstock/algorithms"

// waiting are the vertices that a search has left and that are in no component yet, in the order of leaving them.
type waiting struct {
	*search
	done []uint32
}

// Scratch is what the search takes, and done.
func (w *waiting) Scratch() uint64 { return (vertexBytes + 4) * uint64(w.N) }

// begin makes room for all vertices.
func (w *waiting) begin() { w.done = make([]uint32, 0, w.N) }

// since takes those that were visited from a rank on: a component, which has the least of their ids as its name. They
// are good until the next vertex is done.
func (w *waiting) since(rank int32) (some []uint32, name int64) {
	first := len(w.done)
	for name = algorithms.Unreached; first > 0 && w.rank[w.done[first-1]] >= rank; {
		first--
		name = min(name, w.ids[w.done[first]])
	}
	some, w.done = w.done[first:], w.done[:first]
	return some, name
}
