package ordering

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// rabbit is OrderRabbit: communities are found by letting each vertex, by ascending
// degree, join the neighbor with which modularity gains most; who has joined whom is a
// forest, and its preorder puts every community, and the communities within it, on
// consecutive ids. Arai, Shiokawa, Yamamuro, Onizuka, Iwamura, "Rabbit Order:
// Just-in-time Parallel Reordering for Fast Graph Analysis", IPDPS 2016.
//
//	lists ──gather──▶ links of a community ──best──▶ joined ──▶ forest ──preorder──▶ order
//
// Where the paper's threads race, here the vertices of a batch choose at the same time
// by what was before it, and then join in turn: the order is the same on any number of
// processors. It takes 48 bytes a vertex, 8 more for each processor, and at most 8 an
// entry of the lists.
type rabbit struct {
	lists    *Adjacency
	joined   []uint32 // the vertex whose community this one has joined; itself: a root
	strength []uint64 // of roots: list entries of the whole community
	child    []uint32 // who joined last; noVertex: nobody
	sibling  []uint32 // who joined the same vertex before
	links    [][]link // of a community with members: as gathered from them
	gathered []uint32 // child at that time: older ones are in links
}

// RabbitVertexBytes and rabbitEntryBytes are what rabbit takes, but for its workers.
const RabbitVertexBytes, RabbitWorkerBytes, RabbitEntryBytes = 4 + 8 + 4 + 4 + 24 + 4, 8, 8

// link is how often a community's lists name another one's members; it stops at 2³²-1.
type link struct{ to, weight uint32 }

const NoVertex = ^uint32(0)

// Rabbit is the order, given the vertices by descending degree.
func (a *Adjacency) Rabbit(ctx context.Context, byDegree []uint32) ([]uint32, error) {
	r := newRabbit(a)
	workers := make([]*gatherer, runtime.GOMAXPROCS(0))
	for i := range workers {
		workers[i] = &gatherer{rabbit: r, weights: make([]uint64, len(byDegree))}
	}
	ascending := slices.Clone(byDegree)
	slices.Reverse(ascending)
	size := min(max(len(ascending)/1024, 1), 4096)
	for batch := range slices.Chunk(ascending, size) {
		best := chooseAll(workers, batch)
		for i, u := range batch {
			r.join(workers[0], u, best[i])
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return r.preorder(byDegree), nil
}

func newRabbit(a *Adjacency) *rabbit {
	n := uint32(len(a.Starts) - 1)
	r := &rabbit{lists: a, joined: Identity(n), strength: make([]uint64, n), links: make([][]link, n),
		child: make([]uint32, n), sibling: make([]uint32, n), gathered: make([]uint32, n)}
	for v := range n {
		r.strength[v] = uint64(len(a.List(v)))
		r.child[v], r.sibling[v], r.gathered[v] = NoVertex, NoVertex, NoVertex
	}
	return r
}

// chooseAll is the choice of each vertex of a batch.
func chooseAll(workers []*gatherer, batch []uint32) []uint32 {
	best := make([]uint32, len(batch))
	var next atomic.Int64
	var group errgroup.Group
	for _, g := range workers {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < int64(len(batch)); i = next.Add(1) - 1 {
				best[i] = g.best(batch[i])
			}
			return nil
		})
	}
	_ = group.Wait() // nothing in it fails
	return best
}

// join makes root u a member of the community of v, which it has chosen. Where that one
// has joined u in the meantime, u chooses anew.
func (r *rabbit) join(g *gatherer, u, v uint32) {
	if v != u && r.root(v) == u {
		v = g.best(u)
	}
	if v = r.root(v); v == u {
		return
	}
	r.joined[u] = v
	r.strength[v] += r.strength[u]
	r.sibling[u], r.child[v] = r.child[v], u
}

// root is the community of v. Paths are halved on the way, by several workers at once.
func (r *rabbit) root(v uint32) uint32 {
	for {
		up := atomic.LoadUint32(&r.joined[v])
		if up == v {
			return v
		}
		further := atomic.LoadUint32(&r.joined[up])
		atomic.StoreUint32(&r.joined[v], further)
		v = further
	}
}

// preorder visits the forest, of each vertex first who joined last: it has the most
// edges. Trees come in the order of their roots, vertices without edges at the end.
func (r *rabbit) preorder(byDegree []uint32) []uint32 {
	order := make([]uint32, 0, len(byDegree))
	var stack []uint32
	for root := range uint32(len(byDegree)) {
		if r.joined[root] != root || r.strength[root] == 0 {
			continue
		}
		for stack = append(stack, root); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			order = append(order, v)
			base := len(stack)
			for c := r.child[v]; c != NoVertex; c = r.sibling[c] {
				stack = append(stack, c)
			}
			slices.Reverse(stack[base:])
		}
	}
	return append(order, byDegree[len(order):]...)
}

// gatherer puts a community's links together; it belongs to one worker.
type gatherer struct {
	*rabbit
	weights []uint64 // by community: 0 but for those in met
	met     []uint32
	stack   []uint32
}

// best is the community that u, a root, should join: the one with the greatest gain in
// modularity, w(u,v) - s(u)·s(v)/entries, of several the first; u when none gains.
func (g *gatherer) best(u uint32) uint32 {
	g.gather(u)
	best, most := u, 0.0
	share := float64(g.strength[u]) / float64(max(len(g.lists.Neighbors), 1))
	for _, v := range g.met {
		gain := float64(g.weights[v]) - share*float64(g.strength[v])
		if gain > most || gain == most && gain > 0 && v < best {
			best, most = v, gain
		}
	}
	g.keep(u)
	return best
}

// gather adds up the links of u's community, of members that joined since the last time
// from their own lists or links, which are then needed no more.
func (g *gatherer) gather(u uint32) {
	for g.stack = append(g.stack, u); len(g.stack) > 0; {
		v := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		for c := g.child[v]; c != g.gathered[v]; c = g.sibling[c] {
			g.stack = append(g.stack, c)
		}
		if g.links[v] == nil {
			for _, neighbor := range g.lists.List(v) {
				g.add(u, neighbor, 1)
			}
			continue
		}
		for _, l := range g.links[v] {
			g.add(u, l.to, uint64(l.weight))
		}
		g.links[v] = nil
	}
}

// add takes a link from u's community to member's.
func (g *gatherer) add(u, member uint32, weight uint64) {
	v := g.root(member)
	if v == u {
		return
	}
	if g.weights[v] == 0 {
		g.met = append(g.met, v)
	}
	g.weights[v] += weight
}

// keep stores what was gathered unless u is alone and has its own list for it.
func (g *gatherer) keep(u uint32) {
	if g.child[u] != NoVertex {
		links := make([]link, len(g.met))
		for i, v := range g.met {
			links[i] = link{v, uint32(min(g.weights[v], 1<<32-1))}
		}
		g.links[u], g.gathered[u] = links, g.child[u]
	}
	for _, v := range g.met {
		g.weights[v] = 0
	}
	g.met = g.met[:0]
}
