package neural

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// wave is one of a stage, with how its gathers are computed.
type wave[T number] struct {
	*dataflow.Wave
	fused     table[bool]
	attention table[*attention]
	made      []*dataflow.Value // of edges, in their order: what is neither read where it lies nor made with another
	weighted  []weightedGathers[T]
	others    []*dataflow.Value // gathers
}

// weightedGathers add up rows of the same value, each as Gather(s · x). A row is read once for all of them, as for the
// sums of attention and of its gradient. Gathers of what is as wide as s go along with them, one with each.
type weightedGathers[T number] struct {
	rows    *dataflow.Value
	scales  []*dataflow.Value // of each gather
	gathers []*dataflow.Value
	plain   []*dataflow.Value // gathers that go along
	parts   *vector.Parts
	sums    []vector.Weighted[T] // of the tile at hand
}

// work counts what a worker has done.
type work struct {
	held     int // the most numbers of edges that a tile has held
	weighted int // rows that were read to be added up with weights, by whatever number of gathers
}

// newWave is a wave of so many values at the most.
func newWave[T number](w *dataflow.Wave, values int) wave[T] {
	f := fusionOf(w)
	made := wave[T]{Wave: w, fused: tableOf(values, f.fused), attention: tableOf(values, f.attention)}
	for _, v := range w.Edges {
		if f.makes(v) {
			made.made = append(made.made, v)
		}
	}
	var others []*dataflow.Value
	for _, v := range w.Gathers {
		if !f.fused[v.Args[0]] || v.Op != dataflow.GatherSum {
			others = append(others, v)
			continue
		}
		scale, rows := narrower(v.Args[0])
		i := slices.IndexFunc(made.weighted, func(g weightedGathers[T]) bool {
			return g.rows == rows && g.scales[0].Width == scale.Width
		})
		if i < 0 {
			i = len(made.weighted)
			parts := vector.NewParts(rows.Width, scale.Width)
			made.weighted = append(made.weighted, weightedGathers[T]{rows: rows, parts: parts})
		}
		g := &made.weighted[i]
		g.scales, g.gathers = append(g.scales, scale), append(g.gathers, v)
		g.sums = append(g.sums, vector.Weighted[T]{})
	}
	for _, v := range others {
		i := slices.IndexFunc(made.weighted, func(g weightedGathers[T]) bool { return g.takes(v) })
		if i < 0 {
			made.others = append(made.others, v)
			continue
		}
		made.weighted[i].plain = append(made.weighted[i].plain, v)
	}
	return made
}

// takes says whether v can go along: a sum of rows that a tile makes.
func (g *weightedGathers[T]) takes(v *dataflow.Value) bool {
	switch x := v.Args[0]; x.Op {
	case dataflow.Source, dataflow.Target, dataflow.Mask, dataflow.Hold:
		return false
	default:
		return v.Op == dataflow.GatherSum && x.Width == g.scales[0].Width && len(g.plain) < len(g.gathers)
	}
}

// addWeighted adds a tile to weighted gathers.
func (b *block[T]) addWeighted(g *weightedGathers[T]) {
	x := b.ofEdges(g.rows)
	for k, v := range g.gathers {
		g.sums[k] = vector.Weighted[T]{To: b.rows[v.ID], Scale: b.ofEdges(g.scales[k]).data}
	}
	for k, v := range g.plain {
		g.sums[k].Plain, g.sums[k].Add = b.rows[v.ID], b.tile.values[v.Args[0].ID]
	}
	b.work.weighted += b.tile.count
	vector.AddWeighted(g.parts, g.sums, x.from(0, b.tile.count), b.tile.own[:b.tile.count])
}
