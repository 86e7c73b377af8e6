package plugintest

import (
	"github.com/penstock-db/penstock/algorithms"
)

// part says which edges a session has, of those that two have together.
type part struct {
	edges  *algorithms.Graph // these, and all vertices
	beside *rig              // in whose arena it lies; nil: in its own
	reads  bool              // it has the columns of that rig, instead of its own
}

// partRoom is what the second part may take of an arena: random graphs are small.
const partRoom = 1 << 20
