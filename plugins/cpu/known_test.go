package cpu_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// next opens a further session of the rig's device on its arena.
func (r *rig) next() {
	r.tb.Helper()
	if err := r.session.Close(); err != nil {
		r.tb.Fatal(err)
	}
	if err := r.program(afforest()); err != nil {
		r.tb.Fatal(err)
	}
}

func afforest() *algorithms.Program {
	return &algorithms.Program{
		Name: "least", Reduce: algorithms.Min, Edges: algorithms.BothSides, Order: algorithms.Monotone,
		State:   []algorithms.State{{Name: "least", Type: algorithms.Int, Init: algorithms.Expr{Source: "id"}}},
		Process: algorithms.Expr{Source: "src.least"},
	}
}

// spoil names a vertex that there is not, in a chunk in the arena.
func (r *rig) spoil(u plugins.Command) {
	r.tb.Helper()
	buf, err := r.arena.Bytes(u.At)
	if err != nil {
		r.tb.Fatal(err)
	}
	c, err := chunk.Open(buf)
	if err != nil {
		r.tb.Fatal(err)
	}
	defer c.Release()
	c.Neighbors()[0] = math.MaxUint32
}

// What was validated is not validated again while it lies where it lay; once evicted, or
// where another chunk lies now, it is.
func TestSession_ChunksOfEarlierSessions(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	r := newRig(t, randomGraph(random, 50, 500, false), 1<<20)
	if err := r.program(afforest()); err != nil {
		t.Fatal(err)
	}
	r.chunks()
	if _, err := r.whole(); err != nil {
		t.Fatal(err)
	}
	want := r.column(algorithms.Column{Name: "least", Type: algorithms.Int})
	r.next()
	if _, err := r.whole(); err != nil {
		t.Fatal(err)
	}
	if got := r.column(want.Column); !slices.Equal(got.Ints, want.Ints) {
		t.Error("the second session computes something else")
	}

	r.next()
	err := r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
		ask(r.uploads[0])
		ask(plugins.Command{Op: plugins.Evict, Chunk: r.uploads[0].Chunk})
		r.spoil(r.uploads[0])
		ask(r.uploads[0])
	})
	if plugins.KindOf(err) != plugins.KindChunk {
		t.Errorf("damaged after Evict: %v", err)
	}
}

func TestSession_AnotherChunkAtThePlaceOfAnEarlierOne(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	r := newRig(t, randomGraph(random, 50, 500, false), 1<<20)
	if err := r.program(afforest()); err != nil {
		t.Fatal(err)
	}
	r.chunks()
	first := r.uploads[0]
	if _, err := r.whole(); err != nil {
		t.Fatal(err)
	}
	r.graph = randomGraph(random, 50, 500, false)
	r.uploads = nil
	r.next()
	r.chunks()
	r.spoil(r.uploads[0])
	from, err1 := r.arena.Bytes(r.uploads[0].At)
	to, err2 := r.arena.Bytes(first.At)
	if err1 != nil || err2 != nil || len(from) != len(to) {
		t.Fatal(err1, err2, len(from), len(to))
	}
	copy(to, from)
	r.uploads[0].At = first.At
	if _, err := r.whole(); plugins.KindOf(err) != plugins.KindChunk {
		t.Errorf("error %v", err)
	}
}
