package plugins

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/arena"
)

// ExtensionHalves computes halves of the stages of a network, as dataflow.Halves parts them: what looks at edges on
// one device, what looks at rows alone on another, and all that they leave for each other in the arena that both have
// mapped. The task's network has Halves, and by Plan.Halves the device says that it takes them up; Compile answers
// KindUnsupported where it does not.
//
// Rows computes a half for an interval of vertices: Command.Piece says which half, by its place among those of
// dataflow.Schedule.Once or Epoch. Intervals of a half come in their order; the last ends it, so that what it adds up
// is there. Halves come in any order in which what they read is there. There is no Pass: roots lie with the rest.
const ExtensionHalves Extension = "halves"

// Halves is how a network is parted between devices. NetworkPass.At has the results of all halves of a pass,
// dataflow.Half.Results: those of Once before those of Epoch, one after the other.
type Halves struct {
	Each uint64 // vertices of an interval; the last may have fewer
	// Rows: the device is given halves that look at no edges. It is sent no chunks then, and finds in Degrees what another
	// device has left there in Apply.
	Rows    bool
	Degrees [2]arena.Range // by dataflow.End: float32, how many edges each vertex has there
}

// Intervals is how many there are of so many vertices: one at least, which may be empty.
func (h *Halves) Intervals(vertices uint64) int { return int(max((vertices+h.Each-1)/h.Each, 1)) }

// HalfResults are the values that halves leave, in the order in which they lie.
func HalfResults(once, epoch []dataflow.Half) (values []*dataflow.Value) {
	for _, halves := range [][]dataflow.Half{once, epoch} {
		for i := range halves {
			values = append(values, halves[i].Results()...)
		}
	}
	return values
}
