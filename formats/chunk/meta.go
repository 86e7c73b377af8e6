package chunk

// Direction says whose lists a chunk holds.
type Direction uint8

const (
	// Out lists hold the targets of a vertex's out-edges.
	Out Direction = iota
	// In lists hold the sources of a vertex's in-edges.
	In
	// Both lists hold the neighbors of a vertex of an undirected graph.
	Both
)

// Interval is a run of dense vertex ids, [Base, Base+Count). Ids inside it are local: 0 … Count-1.
type Interval struct {
	Base  uint64 `json:"base"`
	Count uint64 `json:"count"` // at most 1<<32
}

// End is the first dense id after the interval.
func (i Interval) End() uint64 { return i.Base + i.Count }

// Has tells whether a vertex is one of them.
func (i Interval) Has(v uint64) bool { return v-i.Base < i.Count }

// Meta travels with a chunk in its Arrow schema metadata.
type Meta struct {
	Graph     string
	Snapshot  uint64
	Direction Direction
	Rows      Interval // the vertices whose lists the chunk holds
	Cols      Interval // the vertices that the lists may name
}

// SumEdges is how many edges of a chunk, as it is stored, a device adds up at once: where a list goes on beyond a
// multiple of them, the sums of its parts are added. So a chunk that is cut there, and nowhere else, gives the same
// bits as the whole one.
const SumEdges = 32 << 10
