package host

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// An estimate counts what is read to add up the weights of each vertex, before the run: all lists once, with the
// weight, and no more; without weights nothing is.
func TestEstimate_CountsSums(t *testing.T) {
	rng := testseed.Rand(t)
	for _, directed := range []bool{true, false} {
		g := random(rng, 300, 4000, directed, false, false)
		snap := g.stored(t, 4<<10+rng.IntN(4<<10))
		lists, chunks := uint64(0), uint64(0)
		for c, err := range snap.EachChunk(t.Context(), chunk.Out, "weight") {
			if err != nil {
				t.Fatal(err)
			}
			lists, chunks = lists+uint64(c.EncodedSize()), chunks+1
		}
		const slack = 256 // of a header
		req := Request{Algorithm: "pagerank", Params: map[string]string{"weight": "weight"}}
		streamed, _ := withRoom(t, snap, req, 0.6)
		for _, req := range []Request{req, streamed} {
			needs, err := Estimate(t.Context(), snap, req)
			if err != nil || needs.Sums < lists-chunks*slack || needs.Sums > lists+chunks*slack {
				t.Errorf("directed %t, within %d: %+v, of lists of %d bytes in %d chunks; %v", directed, req.DeviceMemory, needs, lists, chunks, err)
			}
		}
		req.Params = nil
		if needs, err := Estimate(t.Context(), snap, req); err != nil || needs.Sums > 0 {
			t.Errorf("directed %t, without weights: %+v, %v", directed, needs, err)
		}
	}
}

// A run counts what it reads to add up weights, also where all chunks are there already.
func TestRun_CountsSums(t *testing.T) {
	rng := testseed.Rand(t)
	for _, directed := range []bool{true, false} {
		snap := random(rng, 300, 4000, directed, false, false).stored(t, 4<<10+rng.IntN(4<<10))
		lists := uint64(0)
		for c, err := range snap.EachChunk(t.Context(), chunk.Out, "weight") {
			if err != nil {
				t.Fatal(err)
			}
			lists += uint64(c.EncodedSize())
		}
		e := engine(t)
		req := Request{Algorithm: "pagerank", Params: map[string]string{"weight": "weight"}}
		var read []uint64
		for range 2 {
			got, err := e.Run(t.Context(), snap, req, Events{})
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, got.Report.Bytes.Storage)
		}
		if read[0] < 2*lists*9/10 || read[1] != lists {
			t.Errorf("directed %t: %d bytes are read, %d to add weights up", directed, read, lists)
		}
	}
}
