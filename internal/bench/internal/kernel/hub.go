package kernel

import (
	"context"
	"maps"
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
	degrees := make([]uint32, n)
	if err := snapshot.Degrees(ctx, chunk.Out, degrees); err != nil {
		return err
	}
	at := uint64(slices.Index(degrees, slices.Max(degrees)))
	ids, err := snapshot.UserIDs(ctx, at, at+1)
	if err != nil {
		return err
	}
	hub, text := ids.At(0)
	if text == "" {
		text = strconv.FormatInt(hub, 10)
	}
	k.Params = maps.Clone(k.Params)
	k.Params["source"] = text
	return nil
}
