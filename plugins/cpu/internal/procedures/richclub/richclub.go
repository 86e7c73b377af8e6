// Package richclub computes rich-club coefficients. It takes 4 bytes a vertex, and 4 for each edge of the vertex with
// the most, for each thread.
package richclub

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// richClub counts each edge at the end with fewer neighbors: edges between vertices of more than k neighbors are those
// that are counted at such vertices. (Zhou and Mondragón 2004.)
type richClub struct {
	procedures.Input
	degree      []int64
	coefficient []float64 // before, how many edges of a vertex lead to one that comes after it
	near        [][]uint32
}

func init() {
	procedures.Register("rich-club", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "rich-club of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		integers := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
		err := f.Columns.Require(integers("out_degree"), integers("in_degree"), integers("degree"),
			algorithms.Column{Name: "coefficient", Type: algorithms.Float})
		return &richClub{Input: f, degree: f.Columns["degree"].Ints, coefficient: f.Columns["coefficient"].Floats}, err
	})
}

// Scratch: the order of vertices, and the neighbors of one for each worker.
func (r *richClub) Scratch() uint64 {
	return 4*uint64(r.N) + 4*uint64(r.Pool.Threads)*uint64(r.most())
}

// most is the largest number of edges that a vertex has.
func (r *richClub) most() int64 {
	most := int64(0)
	for v, out := range r.Columns["out_degree"].Ints {
		if r.Graph.Directed {
			out += r.Columns["in_degree"].Ints[v]
		}
		most = max(most, out)
	}
	return most
}

func (r *richClub) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	r.near = make([][]uint32, r.Pool.Threads)
	for i := range r.near {
		r.near[i] = make([]uint32, 0, r.most())
	}
	part := procedures.Progress{To: 0.45, Tell: tell}
	err := r.Groups(ctx, chunks, part, func(worker, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			r.degree[v] = int64(len(r.neighbors(worker, v, near)))
		}
	})
	if err != nil {
		return 0, err
	}
	part = procedures.Progress{From: 0.45, To: 0.9, Tell: tell}
	err = r.Groups(ctx, chunks, part, func(worker, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			r.coefficient[v] = float64(r.after(v, r.neighbors(worker, v, near)))
		}
	})
	if err != nil {
		return 0, err
	}
	r.clubs()
	return 2 * csr.Entries(chunks), ctx.Err()
}

// neighbors are those of v, each once.
func (r *richClub) neighbors(worker, v int, near []*csr.Chunk) []uint32 {
	list := r.near[worker][:0]
	for _, c := range near {
		for u := range c.Distinct(v) {
			list = append(list, u)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// after counts the neighbors of v that come after it, by how many neighbors they have.
func (r *richClub) after(v int, neighbors []uint32) (count int) {
	for _, u := range neighbors {
		if r.degree[u] > r.degree[v] || r.degree[u] == r.degree[v] && int(u) > v {
			count++
		}
	}
	return count
}

// clubs makes coefficients of what has been counted, from the most neighbors to the fewest.
func (r *richClub) clubs() {
	order := make([]uint32, r.N)
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(v, u uint32) int { return cmp.Compare(r.degree[u], r.degree[v]) })
	vertices, edges := 0.0, 0.0 // of more neighbors
	for from, to := 0, 0; from < r.N; from = to {
		counted := edges
		for ; to < r.N && r.degree[order[to]] == r.degree[order[from]]; to++ {
			counted += r.coefficient[order[to]]
		}
		joined := 0.0
		if vertices > 1 {
			joined = 2 * edges / (vertices * (vertices - 1))
		}
		for _, v := range order[from:to] {
			r.coefficient[v] = joined
		}
		vertices, edges = float64(to), counted
	}
}
