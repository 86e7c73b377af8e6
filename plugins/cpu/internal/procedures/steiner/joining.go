package steiner

import (
	"cmp"
	"context"
)

// edge leads from one region to another.
type edge struct {
	way, weight float64 // between the terminals, and of the edge itself
	from, to    uint32  // to is none: there is no edge
}

// compare orders edges as trees take them.
func (t *tree) compare(a, b edge) int {
	x, y := t.ids[a.from], t.ids[a.to]
	z, w := t.ids[b.from], t.ids[b.to]
	return cmp.Or(cmp.Compare(a.way, b.way), cmp.Compare(min(x, y), min(z, w)), cmp.Compare(max(x, y), max(z, w)),
		cmp.Compare(a.weight, b.weight))
}

// join has, in each round, every tree of regions take the first edge that leads out of it. (Borůvka 1926.)
func (t *tree) join(ctx context.Context) error {
	for joined := true; joined; {
		for v := range t.best {
			t.best[v].to = none
		}
		if err := t.look(ctx); err != nil {
			return err
		}
		joined = false
		for _, e := range t.best {
			if e.to == none {
				continue
			}
			a, b := t.find(t.regions[e.from].base), t.find(t.regions[e.to].base)
			if a != b {
				t.trees[max(a, b)] = min(a, b)
				t.edges = append(t.edges, e)
				joined = true
			}
		}
	}
	return ctx.Err()
}

// look finds the first edge out of each tree; it stands with the tree's representative.
func (t *tree) look(ctx context.Context) error {
	for v := range uint32(t.N) {
		if v%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		own := t.regions[v]
		if own.base == none {
			continue
		}
		root := t.find(own.base)
		t.around(v, func(u uint32, weight float64) {
			other := t.regions[u]
			e := edge{own.distance + other.distance + weight, weight, v, u}
			if t.find(other.base) != root && (t.best[root].to == none || t.compare(e, t.best[root]) < 0) {
				t.best[root] = e
			}
		})
	}
	return nil
}

// find is the representative of the tree that a terminal is in.
func (t *tree) find(v uint32) uint32 {
	for t.trees[v] != v {
		t.trees[v] = t.trees[t.trees[v]]
		v = t.trees[v]
	}
	return v
}
