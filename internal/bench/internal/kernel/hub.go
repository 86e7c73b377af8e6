package kernel

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// FromHub lets paths begin at the vertex with the most edges that lead away, of several the
// first: from there most of a graph is reached.
func (k *Kernel) FromHub(ctx context.Context, snapshot *store.Snapshot) error {
	n := snapshot.Manifest().Vertices
	if _, has := k.Params["source"]; !has || n == 0 {
		return nil
	}
	degrees, ids := make([]uint32, n), make([]int64, n)
	if err := errors.Join(snapshot.Degrees(ctx, chunk.Out, degrees), snapshot.FillIDs(ctx, ids)); err != nil {
		return err
	}
	hub := ids[slices.Index(degrees, slices.Max(degrees))]
	k.Params = map[string]string{"source": strconv.FormatInt(hub, 10)}
	return nil
}
