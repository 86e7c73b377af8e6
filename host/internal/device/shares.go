package device

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/store"
)

// shareAlign is where shares begin: at whole words of the active set.
const shareAlign = 64

// Divide gives each of several devices an interval of the vertices, its column of the grid, to
// which about as many edges lead as to those of the others. Ma et al., "NeuGraph", ATC'19, section 4.2.
func (g *Group) Divide(ctx context.Context, snap *store.Snapshot, edges algorithms.Edges) error {
	if len(g.Devices) == 1 || g.Parts || g.Crew() {
		return nil
	}
	arriving, err := arriving(ctx, snap, edges)
	if err != nil {
		return err
	}
	shares := schedule.Cut(arriving, len(g.Devices), shareAlign)
	for i, d := range g.Devices {
		if d.Share = new(chunk.Interval); i < len(shares) {
			*d.Share = shares[i]
		}
	}
	return nil
}

// arriving is how many messages come to each vertex when all send.
func arriving(ctx context.Context, snap *store.Snapshot, edges algorithms.Edges) ([]uint32, error) {
	m := snap.Manifest()
	all, degrees := make([]uint32, m.Vertices), make([]uint32, m.Vertices)
	for _, d := range plan.Directions(m) {
		against := d == chunk.Out && edges == algorithms.Forward || d == chunk.In && edges == algorithms.Backward
		if m.Directed && against {
			continue // these lead away
		}
		if err := snap.Degrees(ctx, d, degrees); err != nil {
			return nil, err
		}
		for v, n := range degrees {
			all[v] += n
		}
	}
	return all, nil
}
