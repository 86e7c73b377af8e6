package chunk

import (
	"github.com/penstock-db/penstock/formats/chunk/internal/check"
	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// Stats are counts over the lists of a chunk.
type Stats struct {
	Rows, Edges          int
	MinDegree, MaxDegree int // over the rows present; 0 when there are none
}

// newStats counts, and fails with an *InvalidError where offsets fall.
func newStats(t encoding.Topology) (Stats, error) {
	least, most, err := check.Offsets(t.Offsets)
	return Stats{Rows: len(t.Offsets) - 1, Edges: len(t.Neighbors), MinDegree: least, MaxDegree: most}, err
}
