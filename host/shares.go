package host

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
)

// shareAlign is where shares begin: at whole words of the active set.
const shareAlign = 64

// divide gives each of several devices an interval of the vertices, its column of the grid, to
// which about as many edges lead as to those of the others. NeuGraph, section 4.2.
func (r *run) divide(ctx context.Context) error {
	if len(r.devices) == 1 || r.split != nil {
		return nil
	}
	arriving, err := r.arriving(ctx)
	if err != nil {
		return err
	}
	shares := schedule.Cut(arriving, len(r.devices), shareAlign)
	for i, d := range r.devices {
		if d.share = new(chunk.Interval); i < len(shares) {
			*d.share = shares[i]
		}
	}
	return nil
}

// arriving is how many messages come to each vertex when all send.
func (r *run) arriving(ctx context.Context) ([]uint32, error) {
	m := r.snap.Manifest()
	all, degrees := make([]uint32, m.Vertices), make([]uint32, m.Vertices)
	for _, d := range r.directions() {
		against := d == chunk.Out && r.edges == algorithms.Forward || d == chunk.In && r.edges == algorithms.Backward
		if m.Directed && against {
			continue // these lead away
		}
		if err := r.snap.Degrees(ctx, d, degrees); err != nil {
			return nil, err
		}
		for v, n := range degrees {
			all[v] += n
		}
	}
	return all, nil
}
