package host

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// gappy is a sample in which one edge has no toll, one no weight and one a weight of NaN.
type gappy struct {
	*sample
	noToll, noWeight, nan int // positions of the edges; -1: none
}

func (g gappy) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	b := batch.NewEdges(ctx, memory.DefaultAllocator, "gappy", edgeSchema, yield)
	defer b.Release()
	for i, e := range g.edges {
		b.Src.Append(g.users[e.Src])
		b.Dst.Append(g.users[e.Dst])
		switch i {
		case g.noWeight:
			b.Float(0).AppendNull()
		case g.nan:
			b.Float(0).Append(math.NaN())
		default:
			b.Float(0).Append(e.Weights["weight"])
		}
		if i == g.noToll {
			b.Int(1).AppendNull()
		} else {
			b.Int(1).Append(int64(e.Weights["toll"]))
		}
		if err := b.EndRow(int64(i)); err != nil {
			return err
		}
	}
	return b.Flush()
}

func (g gappy) stored(t *testing.T, chunkBytes int) *store.Snapshot {
	t.Helper()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Load(context.Background(), "g", g, store.LoadOptions{ChunkBytes: chunkBytes}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}

// A run over edges that lack the property it reads fails and names the first such edge;
// a run that does not read it is not disturbed.
func TestRun_MissingEdgeValues(t *testing.T) {
	rng := testseed.Rand(t)
	for i, directed := range []bool{true, false} {
		schedule := Schedules[i]
		g := random(rng, 50, 600, directed, true, false)
		at := rng.IntN(len(g.edges))
		source, target := g.users[g.edges[at].Src], g.users[g.edges[at].Dst]
		for name, c := range map[string]struct {
			gaps              gappy
			property, another string
		}{
			"null integer": {gappy{g, at, -1, -1}, "toll", "weight"},
			"null float":   {gappy{g, -1, at, -1}, "weight", "toll"},
			"NaN":          {gappy{g, -1, -1, at}, "weight", "toll"},
		} {
			t.Run(name, func(t *testing.T) {
				snap := c.gaps.stored(t, 2048)
				req := Request{Algorithm: "sssp", Schedule: schedule,
					Params: map[string]string{"source": source, "weight": c.property}}
				_, err := Run(context.Background(), snap, req, Events{})
				var missing *MissingValueError
				if !errors.As(err, &missing) {
					t.Fatalf("%s: error %v", schedule, err)
				}
				ends := [2]string{missing.Source, missing.Target}
				if missing.Property != c.property || missing.Missing != 1 && directed ||
					ends != [2]string{source, target} && (directed || ends != [2]string{target, source}) {
					t.Errorf("%s: %+v; the edge is %s → %s", schedule, missing, source, target)
				}
				mustRun(t, snap, Request{Algorithm: "sssp", Params: map[string]string{"source": source, "weight": c.another}})
			})
		}
	}
}
