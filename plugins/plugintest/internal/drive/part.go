package drive

import (
	"github.com/penstock-db/penstock/algorithms"
)

// Part says which edges a session has, of those that two have together.
type Part struct {
	Edges  *algorithms.Graph // these, and all vertices
	Beside *Rig              // in whose arena it lies; nil: in its own
	Reads  bool              // it has the columns of that rig, instead of its own
}

// partRoom is what the second part may take of an arena: random graphs are small.
const partRoom = 1 << 20
