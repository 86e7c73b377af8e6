package learning

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// popular is a bipartite graph: mega.HybridDegree and some users more, from whom edges lead to a first item, and to
// three of 11 others, each of which has fewer.
func popular(r *rand.Rand) *algorithms.Graph {
	const users, others, each = mega.HybridDegree + 40, 11, 3
	factors := make([]float64, users+1+others)
	for i := range factors {
		factors[i] = 1 + r.Float64()
	}
	var edges []algorithms.Edge
	for u := range users {
		for k := range each + 1 {
			v := users
			if k > 0 {
				v += 1 + (u+k)%others
			}
			e := drawn.NewEdge(r, u, v)
			e.Weights[drawn.Weight] = factors[u] * factors[v]
			edges = append(edges, e)
		}
	}
	ids := make([]int64, users+1+others)
	for i := range ids {
		ids[i] = int64(i)
	}
	return drawn.NewGraph(true, ids, edges)
}

// cut has the lesson's graph cut so.
func (l lesson) cut(c mega.Cut) lesson {
	l.args.Strings = maps.Clone(l.args.Strings)
	l.args.Strings["partition"] = string(c)
	return l
}

// testCuts has three workers learn from a graph that is cut in each way. Mirrors are where a cut has them, and tell of
// what they have learned; of an item with few edges there is one by mega.Hybrid. A device may say that it cannot.
func testCuts(t *testing.T, device plugins.Device) {
	for _, c := range mega.Cuts() {
		t.Run(string(c), func(t *testing.T) {
			r := testseed.Rand(t)
			g := popular(r)
			l := factorization().with("workers", cutWorkers).cut(c)
			got, err := l.learn(t, r, device, g, inOne)
			if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			checkCut(t, c, g, got)
			again, err := l.learn(t, r, device, g, drive.Partition{Rows: 5, Cols: 1, Whole: true})
			if err != nil || !slices.Equal(again.rows, got.rows) {
				t.Errorf("other bits where chunks are cut otherwise, or %v", err)
			}
		})
	}
}

const cutWorkers = 3

// checkCut holds what was learned against where a cut has mirrors of popular.
func checkCut(t *testing.T, c mega.Cut, g *algorithms.Graph, got learned) {
	t.Helper()
	const users = mega.HybridDegree + 40
	items := drawn.Linked(g) - users
	var all plugins.Work
	for _, w := range got.work {
		all.Edges, all.Pushed, all.Pulled = all.Edges+w.Edges, all.Pushed+w.Pushed, all.Pulled+w.Pulled
		all.Masters, all.Mirrors = all.Masters+w.Masters, all.Mirrors+w.Mirrors
		all.LeftMasters, all.LeftMirrors = all.LeftMasters+w.LeftMasters, all.LeftMirrors+w.LeftMirrors
	}
	if len(got.work) != cutWorkers || all.Edges != learnedEpochs*drawn.EdgeCount(g) || all.Masters != items ||
		all.LeftMasters != users {
		t.Errorf("%d workers went along %d edges, and have %d of %d items and %d of %d users", len(got.work), all.Edges,
			all.Masters, items, all.LeftMasters, users)
	}
	lefts, rights := all.LeftMirrors-all.LeftMasters, all.Mirrors-all.Masters
	most := cutWorkers*items - items
	if c == mega.Hybrid {
		most = cutWorkers - 1 // the first item alone has many edges
	}
	if (lefts > 0) != c.Splits() || (rights > 0) != (c != mega.BipartiteRight) || rights > most {
		t.Errorf("there are %d mirrors of %d users, and %d of %d items", all.LeftMirrors, users, all.Mirrors, items)
	}
	if all.Pushed == 0 || all.Pulled == 0 {
		t.Errorf("mirrors have sent %d bytes, and were sent %d", all.Pushed, all.Pulled)
	}
	if n := len(got.epochs); n != learnedEpochs || got.epochs[n-1].Loss > got.epochs[0].Loss/4 {
		t.Errorf("the loss fell so: %+v", got.epochs)
	}
}
