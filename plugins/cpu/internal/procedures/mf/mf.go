// Package mf factorizes a matrix of ratings: the MEGA program of that name over the chunks of a graph whose edges lead
// from users to items.
package mf

import (
	"context"
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/heldout"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

type factorization struct {
	procedures.Input
	rank, workers int
	bias          []float64
	factors       [][]float64
}

func init() { procedures.RegisterLearner("mf", newFactorization) }

func newFactorization(f procedures.Input) (procedures.Procedure, error) {
	c := &factorization{Input: f, rank: int(f.Args.Ints["rank"]), workers: max(int(f.Args.Ints["workers"]), 1)}
	for k := -1; k < c.rank; k++ {
		column := algorithms.Column{Name: "bias", Type: algorithms.Float}
		if k >= 0 {
			column.Name = fmt.Sprintf("factor_%d", k)
		}
		if err := f.Columns.Require(column); err != nil {
			return nil, err
		}
		if values := f.Columns[column.Name].Floats; k < 0 {
			c.bias = values
		} else {
			c.factors = append(c.factors, values)
		}
	}
	return c, nil
}

// Directions: edges are read from the user's end.
func (c *factorization) Directions() []chunk.Direction { return []chunk.Direction{chunk.Out} }

// EdgeColumns has the ratings.
func (c *factorization) EdgeColumns() []string { return []string{c.Args.Strings["label"]} }

// Scratch: of each edge its target and rating, and an eighth of a byte; of each vertex its row as user and master, its
// place and degree on both sides, and of each worker a mirror with what it was pulled as.
func (c *factorization) Scratch() uint64 {
	row := 4 * uint64(c.rank+mf.Factors+1)
	return 8*c.Graph.Edges + uint64(c.N)*(2*row+48+uint64(c.workers)*(2*row+16))
}

// Call learns. Edges that are held out it leaves out.
func (c *factorization) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	g, err := c.graph(chunks)
	if err != nil {
		return 0, err
	}
	floats, ints := c.Args.Floats, c.Args.Ints
	epochs := int(ints["epochs"])
	p := mf.Program(mf.Params{Rank: c.rank, Epochs: epochs, Rate: floats["rate"], L2: floats["l2"], Mean: g.mean,
		Seed: uint64(ints["seed"]), Users: g.users.degree, Items: g.items.degree})
	state, report, err := mega.Run(ctx, p, &g.Graph, mega.Options{Workers: c.workers, Slack: int(ints["lead"]) - 1,
		Epochs: epochs, Batch: int(ints["batch"]), Seed: uint64(ints["seed"]),
		Epoch: func(number int, _ float64) { tell(float64(number+1) / float64(epochs)) }})
	if err != nil {
		return 0, err
	}
	width := mf.Factors + c.rank
	err = c.store(g.users, state.Left, width+1)
	if err == nil {
		err = c.store(g.items, state.Right, width)
	}
	edges := uint64(0)
	for _, w := range report.Workers {
		edges += w.Edges
	}
	return edges, err
}

// store writes rows to the result columns. What is no number any more fails: nobody is to keep it as a model.
func (c *factorization) store(of side, rows []float32, width int) error {
	for i, v := range of.vertices {
		row := rows[i*width:][:width]
		c.bias[v] = float64(row[mf.Bias])
		for k, x := range row[mf.Factors : mf.Factors+c.rank] {
			c.factors[k][v] = float64(x)
		}
		for _, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return plugins.Errorf(plugins.KindInvalid, "mf has diverged: a row has %v; give a smaller rate than %g, or more l2",
					x, c.Args.Floats["rate"])
			}
		}
	}
	return nil
}

// ratings are the graph as the program has it, with vertices numbered by side.
type ratings struct {
	mega.Graph[float32]
	users, items side
	mean         float64
}

// side is one type of vertices: those that have edges, whether learned from or not.
type side struct {
	place    []uint32 // by vertex, 1 more than its number; 0: it is not of this side
	vertices []uint32
	degree   []uint32 // edges that are learned from
}

func (c *factorization) newSide(mark func(place []uint32)) (s side) {
	s.place = make([]uint32, c.N)
	mark(s.place)
	for v, is := range s.place {
		if is != 0 {
			s.vertices = append(s.vertices, uint32(v))
			s.place[v] = uint32(len(s.vertices))
		}
	}
	s.degree = make([]uint32, len(s.vertices))
	return s
}

// graph copies the edges that are learned from out of the chunks.
func (c *factorization) graph(chunks []*csr.Chunk) (*ratings, error) {
	g := &ratings{}
	g.users = c.newSide(func(place []uint32) { each(chunks, func(u, _ int, _ float64) { place[u] = 1 }) })
	g.items = c.newSide(func(place []uint32) { each(chunks, func(_, v int, _ float64) { place[v] = 1 }) })
	for _, v := range g.items.vertices {
		if g.users.place[v] != 0 {
			return nil, plugins.Errorf(plugins.KindInvalid, "mf needs edges that lead from one type of vertices to another, but "+
				"vertex %d has edges both from it and to it; load the graph with --left and --right", v)
		}
	}
	g.Rights = len(g.items.vertices)
	g.Offsets = make([]int64, len(g.users.vertices)+1)
	sum := 0.0
	c.learned(chunks, func(u, v int, rating float64) {
		i, j := g.users.place[u]-1, g.items.place[v]-1
		g.users.degree[i]++
		g.items.degree[j]++
		g.Offsets[i+1]++
		sum += rating
	})
	for i := range g.users.vertices {
		g.Offsets[i+1] += g.Offsets[i]
	}
	n := g.Offsets[len(g.users.vertices)]
	if n == 0 {
		return nil, plugins.Errorf(plugins.KindInvalid, "mf has no edge to learn from")
	}
	g.mean = sum / float64(n)
	g.Targets, g.Edges = make([]uint32, n), make([]float32, n)
	next := append([]int64{}, g.Offsets...)
	c.learned(chunks, func(u, v int, rating float64) {
		i := g.users.place[u] - 1
		g.Targets[next[i]], g.Edges[next[i]] = g.items.place[v]-1, float32(rating)
		next[i]++
	})
	return g, nil
}

// learned calls do for each edge that is not held out.
func (c *factorization) learned(chunks []*csr.Chunk, do func(u, v int, rating float64)) {
	seed, share := uint64(c.Args.Ints["seed"]), c.Args.Floats["learned"]
	each(chunks, func(u, v int, rating float64) {
		if share >= 1 || heldout.Place(seed, uint64(u), uint64(v)) < share {
			do(u, v, rating)
		}
	})
}

func each(chunks []*csr.Chunk, do func(u, v int, rating float64)) {
	for _, ch := range chunks {
		ratings := ch.WeightsOf(0)
		for row := range len(ch.Offsets) - 1 {
			u := int(ch.Rows.Base) + ch.Local(row)
			for i := ch.Offsets[row]; i < ch.Offsets[row+1]; i++ {
				do(u, int(ch.Cols.Base)+int(ch.Neighbors[i]), ratings[i])
			}
		}
	}
}
