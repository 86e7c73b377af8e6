package cpu

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// kcore peels the graph: for k = 0, 1, … it removes vertices of degree at most k until
// there are none; those have core number k. Workers peel a level together, and what a
// removal makes peelable whoever removed peels next. (Kabir and Madduri, "Parallel k-core
// decomposition on multicore platforms", 2017.) Vertices are looked over only at levels
// up to their core number, so the whole is linear in edges.
type kcore struct {
	frame
	core []int64
}

func newKCore(f frame) (procedure, error) {
	if f.n > math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "k-core of %d vertices: up to %d", f.n, math.MaxInt32)
	}
	err := f.require(algorithms.Column{Name: "core", Type: algorithms.Int})
	return &kcore{frame: f, core: f.columns["core"].Ints}, err
}

// scratch: degrees, those left, how many of each block are, and the worklist.
func (c *kcore) scratch() uint64 {
	return 8*uint64(c.n) + 8*uint64(blockCount(c.n)) + worklistBytes(c.n, c.pool)
}

func (c *kcore) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	p := peeling{kcore: c, degree: make([]int32, c.n), left: make([]uint32, c.n), kept: make([]int, blockCount(c.n)), list: newWorklist(c.n, c.pool)}
	p.out, p.in = sides(c.graph.Directed, chunks)
	err := c.groups(ctx, nil, progress{0, 0.2, tell}, func(_, from, to int, _ []*resident) {
		for v := from; v < to; v++ {
			p.degree[v], p.left[v] = p.count(v), uint32(v)
		}
	})
	told := 0.2
	for k := int32(0); len(p.left) > 0 && err == nil; k++ {
		err = p.peel(ctx, k)
		if at := 1 - 0.8*float64(len(p.left))/float64(c.n); at-told >= 0.01 {
			told = at
			tell(at)
		}
	}
	return 2 * entries(chunks), err
}

// peeling is a run of kcore.
type peeling struct {
	*kcore
	out, in stripes
	degree  []int32  // of those left: neighbours that are left
	left    []uint32 // ascending
	last    uint32   // none that is left comes after it
	kept    []int    // of each block of left
	list    *worklist
}

// peel finds the vertices of core number k. Those of degree below k have gone before.
func (p *peeling) peel(ctx context.Context, k int32) error {
	err := p.pool.blocks(ctx, len(p.left), func(worker, block, from, to int) {
		kept := p.left[from:from]
		for _, v := range p.left[from:to] {
			switch d := p.degree[v]; {
			case d > k:
				kept = append(kept, v)
			case d == k:
				p.core[v] = int64(k)
				p.list.workers[worker].add(v)
			}
		}
		p.kept[block] = len(kept)
	})
	if err != nil {
		return err
	}
	p.close()
	return p.list.run(ctx, func(v uint32, found *finds) { p.remove(int(v), k, found) })
}

// remove takes v away from its neighbours.
func (p *peeling) remove(v int, k int32, found *finds) {
	lose := func(u uint32) {
		if atomic.LoadInt32(&p.degree[u]) > k && atomic.AddInt32(&p.degree[u], -1) == k {
			p.core[u] = int64(k)
			found.add(u)
		}
	}
	if p.graph.Directed {
		p.neighbors(v, lose)
		return
	}
	for _, r := range p.out.of(v) {
		for u := range r.distinct(v) {
			if u > p.last {
				break // where hubs come first, most of a hub's list has gone before it
			}
			lose(u)
		}
	}
}

// count is how many neighbours v has.
func (p *peeling) count(v int) (n int32) {
	if p.graph.Directed {
		p.neighbors(v, func(uint32) { n++ })
		return n
	}
	for _, r := range p.out.of(v) {
		for range r.distinct(v) {
			n++
		}
	}
	return n
}

// close moves what the blocks have kept together.
func (p *peeling) close() {
	end := 0
	for block := range blockCount(len(p.left)) {
		end += copy(p.left[end:], p.left[block*blockVertices:][:p.kept[block]])
	}
	if p.left = p.left[:end]; end > 0 {
		p.last = p.left[end-1]
	}
}

// neighbors visits the vertices that edges of a directed graph join v with, each once.
func (p *peeling) neighbors(v int, visit func(u uint32)) {
	out := p.out.of(v)
	for _, r := range out {
		for u := range r.distinct(v) {
			visit(u)
		}
	}
	for _, r := range p.in.of(v) {
		var few [4]rest // seldom more, and then on the heap
		met := few[:0]
		for _, o := range out {
			met = append(met, rest{uint32(o.cols.Base), o.list(v)})
		}
		for u := range r.distinct(v) {
			if !anyHas(met, u) {
				visit(u)
			}
		}
	}
}

// rest is what is left of a list, for questions that ascend.
type rest struct {
	base uint32
	list []uint32 // local to base
}

func (l *rest) has(u uint32) bool {
	for len(l.list) > 0 && l.base+l.list[0] < u {
		l.list = l.list[1:]
	}
	return len(l.list) > 0 && l.base+l.list[0] == u
}

func anyHas(lists []rest, u uint32) bool {
	for i := range lists {
		if lists[i].has(u) {
			return true
		}
	}
	return false
}
