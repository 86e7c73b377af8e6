package host

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// split is a run of two devices of which each has a part of the edges: one those of the dense core (internal/core), the
// other the rest. All chunks stay on the devices.
//
//	chunks ──Cut──▶ rest ──Upload──▶ device 1 ◀─┐
//	            └─▶ core ──Upload──▶ device 2 ◀─┴─ columns: each has one writer, and whoever likes reads them
//
// Both work at once, in one of two ways:
//
//	settling   each goes on by itself, and takes what the other has found in between, until neither finds more;
//	           nobody waits while there is something to do (splitsettle.go)
//	in step    in each iteration both send along their edges; the first takes what came along the second's, and
//	           applies (splitstep.go)
//
// Should the second device die, hang or have no room, the first is given all edges and goes on alone (splitalone.go). No column is
// ever copied: each device is told where the other's are.
type split struct {
	*run
	rest, dense *device
	own         []plugins.VertexColumn // the dense device's, but for the inputs, where it settles
	ownActive   arena.Range
	rule        core.Rule
	set         core.Set // the vertices of the core that have an edge there
	cut         []int    // the chunks that have some of the core's edges
	report      CoreReport
	meeting     meeting       // of a run that settles
	agreed      time.Time     // when both devices ran; less what it took to measure them
	sending     time.Duration // from when both have begun to send until both are done

	// In the arena, behind the columns.
	among    arena.Range // set, for the devices
	everyone arena.Range // the set of all vertices
	gathered arena.Range // accumulators
}

// splitNames are the two devices of "X+Y". The first is a plugin's name, which has no plus sign; the
// second may be a path.
func splitNames(device string) (names []string, ok bool) {
	rest, dense, ok := strings.Cut(device, "+")
	return []string{rest, dense}, ok && !strings.ContainsAny(rest, ","+string(filepath.Separator))
}

// placeColumns gives each device columns of its own to write, but for the inputs, which nobody writes. It
// tells where everything ends.
func (s *split) placeColumns(from uint64) (end uint64) {
	p, vertices := placer{used: from}, s.snap.Manifest().Vertices
	s.rest.layout = p.layout(s.columns, vertices)
	own := p.layout(s.columns[s.inputs():], vertices)
	s.own, s.ownActive = own.Columns, own.Active
	s.task.Layout = s.rest.layout
	s.among, s.everyone = p.place(bitmapBytes(vertices)), p.place(bitmapBytes(vertices))
	s.gathered = p.place(vertices * 8)
	return p.used
}

// inputs is how many columns come before the state.
func (r *run) inputs() int { return len(r.columns) - len(r.task.Program.State) }

// mark puts the sets into the arena.
func (s *split) mark() error {
	all := chunk.Interval{Count: s.snap.Manifest().Vertices}
	for at, set := range map[arena.Range]core.Set{s.among: s.set, s.everyone: core.Window(all.Count, all)} {
		words, err := s.arena.Uint64s(at)
		if err != nil {
			return err
		}
		copy(words, set)
	}
	return nil
}

// explain says how the core was chosen, and how the devices work together.
func (s *split) explain() string {
	way := "both devices in step"
	if s.settling {
		way = "each device by itself"
	}
	return fmt.Sprintf("split: the core is %s, %d of %d vertices with %d edges inside, %.3g%% of its matrix; %s",
		s.report.Rule, s.report.Vertices, s.snap.Manifest().Vertices, s.report.Edges, 100*s.report.Density, way)
}
