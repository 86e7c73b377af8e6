package passes

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/store"
)

// A pass goes over the chunks that have an active row, and no others; of each it asks for the active rows.
func TestWanted(t *testing.T) {
	p := &plan.Plan{}
	for _, base := range []uint64{0, 0, 100, 200, 300} { // two chunks have lists of the first rows
		p.Chunks = append(p.Chunks, plan.Chunk{Info: store.ChunkInfo{Rows: chunk.Interval{Base: base, Count: 100}}})
	}
	active := make(schedule.Bitmap, 7)
	for want, vertices := range map[int][]uint64{0: nil, 2: {99}, 1: {200}, 3: {0, 399}, 5: {1, 150, 299, 300}} {
		clear(active)
		for _, v := range vertices {
			active[v/64] |= 1 << (v % 64)
		}
		loads := executor{&execute.Env{Plan: p}}.wanted(active)
		if len(loads) != want {
			t.Errorf("of rows %v chunks %+v; expected %d", vertices, loads, want)
		}
		for _, l := range loads {
			rows := p.Chunks[l.Chunk].Info.Rows
			if !l.Part || !slices.ContainsFunc(vertices, func(v uint64) bool { return v >= rows.Base && v < rows.End() }) {
				t.Errorf("of rows %v: %+v", vertices, l)
			}
		}
	}
}
