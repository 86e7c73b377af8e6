// Package kcore finds the core number of each vertex. It takes 16 bytes a vertex.
package kcore

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/worklist"
)

// kcore peels the graph: for k = 0, 1, … it removes vertices of degree at most k until
// there are none; those have core number k. Workers peel a level together, and what a
// removal makes peelable the same worker peels next. (Kabir and Madduri, "Parallel k-core
// decomposition on multicore platforms", 2017.) Vertices are looked over only at levels
// up to their core number, so the whole is linear in edges.
type kcore struct {
	procedures.Input
	core []int64
}

func init() { procedures.Register("k-core", newKCore) }

func newKCore(f procedures.Input) (procedures.Procedure, error) {
	if f.N > math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "k-core of %d vertices: up to %d", f.N, math.MaxInt32)
	}
	err := f.Columns.Require(algorithms.Column{Name: "core", Type: algorithms.Int})
	return &kcore{Input: f, core: f.Columns["core"].Ints}, err
}

// Scratch: degrees, those left, how many of each block are, and the worklist.
func (c *kcore) Scratch() uint64 {
	return 8*uint64(c.N) + 8*uint64(parallel.BlockCount(c.N)) + worklist.Bytes(c.N, c.Pool)
}

func (c *kcore) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	p := peeling{kcore: c, degree: make([]int32, c.N), left: make([]uint32, c.N),
		kept: make([]int, parallel.BlockCount(c.N)), list: worklist.New(c.N, c.Pool)}
	p.out, p.in = csr.Sides(c.Graph.Directed, chunks)
	err := c.Groups(ctx, nil, procedures.Progress{From: 0, To: 0.2, Tell: tell}, func(_, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			p.degree[v], p.left[v] = p.count(v), uint32(v)
		}
	})
	told := 0.2
	for k := int32(0); len(p.left) > 0 && err == nil; k++ {
		err = p.peel(ctx, k)
		if at := 1 - 0.8*float64(len(p.left))/float64(c.N); at-told >= 0.01 {
			told = at
			tell(at)
		}
	}
	return 2 * csr.Entries(chunks), err
}

// peeling is a run of kcore.
type peeling struct {
	*kcore
	out, in csr.Index
	degree  []int32  // of those left: neighbors that are left
	left    []uint32 // ascending
	last    uint32   // none that is left comes after it
	kept    []int    // of each block of left
	list    *worklist.List
}

// peel finds the vertices of core number k. Those of degree below k have gone before.
func (p *peeling) peel(ctx context.Context, k int32) error {
	err := p.Pool.Blocks(ctx, len(p.left), func(worker, block, from, to int) {
		kept := p.left[from:from]
		for _, v := range p.left[from:to] {
			switch d := p.degree[v]; {
			case d > k:
				kept = append(kept, v)
			case d == k:
				p.core[v] = int64(k)
				p.list.Buffers[worker].Add(v)
			}
		}
		p.kept[block] = len(kept)
	})
	if err != nil {
		return err
	}
	p.close()
	return p.list.Run(ctx, func(v uint32, found *worklist.Buffer) { p.remove(int(v), k, found) })
}

// remove takes v away from its neighbors.
func (p *peeling) remove(v int, k int32, found *worklist.Buffer) {
	lose := func(u uint32) {
		if atomic.LoadInt32(&p.degree[u]) > k && atomic.AddInt32(&p.degree[u], -1) == k {
			p.core[u] = int64(k)
			found.Add(u)
		}
	}
	if p.Graph.Directed {
		p.neighbors(v, lose)
		return
	}
	for _, r := range p.out.Of(v) {
		for u := range r.Distinct(v) {
			if u > p.last {
				break // where hubs come first, most of a hub's list has gone before it
			}
			lose(u)
		}
	}
}

// count is how many neighbors v has.
func (p *peeling) count(v int) (n int32) {
	if p.Graph.Directed {
		p.neighbors(v, func(uint32) { n++ })
		return n
	}
	for _, r := range p.out.Of(v) {
		for range r.Distinct(v) {
			n++
		}
	}
	return n
}

// close moves what the blocks have kept together.
func (p *peeling) close() {
	end := 0
	for block := range parallel.BlockCount(len(p.left)) {
		end += copy(p.left[end:], p.left[block*parallel.BlockVertices:][:p.kept[block]])
	}
	if p.left = p.left[:end]; end > 0 {
		p.last = p.left[end-1]
	}
}

// neighbors visits the vertices that edges of a directed graph join v with, each once.
func (p *peeling) neighbors(v int, visit func(u uint32)) {
	out := p.out.Of(v)
	for _, r := range out {
		for u := range r.Distinct(v) {
			visit(u)
		}
	}
	for _, r := range p.in.Of(v) {
		var few [4]rest // seldom more, and then on the heap
		met := few[:0]
		for _, o := range out {
			met = append(met, rest{uint32(o.Cols.Base), o.List(v)})
		}
		for u := range r.Distinct(v) {
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
