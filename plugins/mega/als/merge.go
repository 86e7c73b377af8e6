package als

import (
	"cmp"
	"sort"

	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// Merge makes several edges between the same two vertices one, whose value is their sum: a pair was observed so often.
// Nothing is held out. Edges of a left vertex come in the order of targets then.
func Merge(g *mega.Graph[mf.Rating]) {
	to := int64(0)
	for u := range g.Lefts() {
		from, end := g.Offsets[u], g.Offsets[u+1]
		edges := byTarget{g.Targets[from:end], g.Edges[from:end]}
		if !sort.IsSorted(edges) {
			sort.Sort(edges)
		}
		g.Offsets[u] = to
		for i := from; i < end; i++ {
			if to > g.Offsets[u] && g.Targets[to-1] == g.Targets[i] {
				g.Edges[to-1] = mf.Of(g.Edges[to-1].Value()+g.Edges[i].Value(), false)
				continue
			}
			g.Targets[to], g.Edges[to] = g.Targets[i], g.Edges[i]
			to++
		}
	}
	g.Offsets[g.Lefts()] = to
	g.Targets, g.Edges = g.Targets[:to], g.Edges[:to]
}

// byTarget sorts edges, those of one target by value.
type byTarget struct {
	targets []uint32
	edges   []mf.Rating
}

func (e byTarget) Len() int { return len(e.targets) }

func (e byTarget) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(e.targets[i], e.targets[j]), cmp.Compare(e.edges[i].Value(), e.edges[j].Value())) < 0
}

func (e byTarget) Swap(i, j int) {
	e.targets[i], e.targets[j] = e.targets[j], e.targets[i]
	e.edges[i], e.edges[j] = e.edges[j], e.edges[i]
}
