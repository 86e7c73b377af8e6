package plan

import (
	"cmp"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Whatever the budget: what a plan takes is within it, its places lie beside each other, below the vertex columns, and
// what it says that it takes is the sum of what it gives out.
func TestAgree_PlacesAreDisjointAndCounted(t *testing.T) {
	rng := testseed.Rand(t)
	names := schedule.Names()
	for range 600 {
		g := goldenGraphs[rng.IntN(len(goldenGraphs))].graph
		program, d := goldenPrograms[rng.IntN(len(goldenPrograms))], goldenDevices[rng.IntN(len(goldenDevices))]
		terms := goldenTerms(t, g, names[rng.IntN(len(names))], program.program, program.weight, d.able, d.count)
		terms.Budget = 1000 + 8*g.vertices + rng.Uint64N(4*GraphBytes(g))
		p, err := Agree(terms)
		if err != nil {
			continue
		}
		requireDisjoint(t, p, terms.Arena.Columns)
		f := p.Fit
		used := p.Kernel.Fixed + uint64(len(f.Slots))*f.Capacity + uint64(len(f.Tiles))*f.Tile + f.Set.Length
		for _, s := range f.Slots {
			used += s.Set.Length
		}
		for i, c := range p.Chunks {
			if f.Resident || i < f.Kept {
				used += Aligned(c.Device)
			}
		}
		if f.Used > p.Budget || used < f.Used || used-f.Used >= uint64(len(p.Chunks))*arena.Align {
			t.Fatalf("it says %d of %d bytes; it gives out %d: %+v", f.Used, p.Budget, used, f)
		}
		if f.Kept < len(p.Chunks) && p.Schedule.Needs.Pins && !f.Resident && !p.Settling && f.Used+
			p.Chunks[f.Kept].Device <= p.Budget {
			t.Fatalf("%d of %d bytes are taken, and chunk %d of %d bytes does not stay", f.Used, p.Budget, f.Kept,
				p.Chunks[f.Kept].Device)
		}
	}
}

// requireDisjoint looks at every place of a plan in the arena.
func requireDisjoint(t *testing.T, p *Plan, columns uint64) {
	t.Helper()
	places := []arena.Range{p.Fit.Set}
	for _, s := range slices.Concat(p.Fit.Slots, p.Fit.Tiles) {
		places = append(places, s.At, s.Set)
	}
	for _, c := range p.Chunks {
		places = append(places, c.At)
	}
	places = slices.DeleteFunc(places, func(at arena.Range) bool { return at.Length == 0 })
	slices.SortFunc(places, func(a, b arena.Range) int { return cmp.Compare(a.Offset, b.Offset) })
	end := uint64(0)
	for _, at := range places {
		if at.Offset < end || at.Offset%arena.Align != 0 || at.End() > columns {
			t.Fatalf("%+v begins before %d, or ends after %d: %+v", at, end, columns, p.Fit)
		}
		end = at.End()
	}
}
