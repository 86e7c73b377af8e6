// Package fastrp embeds vertices by random projection. It takes 16 bytes a vertex and number of an embedding, and 16
// bytes a vertex; of each number of the features 8 bytes for each number of an embedding that is of features, and 8.
package fastrp

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// projection averages the vectors of neighbors. Each vertex pulls, so that sums are taken in the order of its lists,
// whatever the number of threads. (Chen et al. 2019.)
type projection struct {
	procedures.Input
	width     int
	embedding []float64
	features  features
	sides     []csr.Index // the lists of neighbors
	degree    [][]int64   // what of it is edges to neighbors, added up
	now, next vectors
}

// features are numbers that vertices have, a row of each, and what each number of these adds to the last numbers of a
// vector.
type features struct {
	numbers []float32 // none where they have no part in vectors
	inputs  int       // of a row
	width   int       // that are added to
	signs   []float64 // a row of each input
	lengths []float64 // of these rows
}

// vectors are those of all vertices under way, one after the other, and their lengths.
type vectors struct{ numbers, lengths []float64 }

func newVectors(n, width int) vectors { return vectors{make([]float64, n*width), make([]float64, n)} }

func init() {
	procedures.Register("fastrp", func(f procedures.Input) (procedures.Procedure, error) {
		width := int(f.Args.Ints["embeddingDimension"])
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "out_degree", Type: algorithms.Int}, algorithms.Column{Name: "in_degree", Type: algorithms.Int},
			algorithms.Column{Name: "embedding", Type: algorithms.Float, Each: width})
		p := &projection{Input: f, width: width, embedding: f.Columns["embedding"].Floats}
		p.features = features{inputs: int(f.Args.Ints["featureProperties"]), width: algorithms.FastRPFeatures(f.Args)}
		if err == nil && p.features.inputs > 0 {
			p.features.numbers, err = f.Rows.Require(algorithms.InputColumn("featureProperties"), f.N*p.features.inputs)
		}
		return p, err
	})
}

// Scratch: the vectors of two iterations, and of features.
func (p *projection) Scratch() uint64 {
	return uint64(p.N)*2*8*(uint64(p.width)+1) + uint64(p.features.inputs)*8*(uint64(p.features.width)+1)
}

func (p *projection) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	p.sides, p.degree = p.Oriented(chunks)
	p.now, p.next = newVectors(p.N, p.width), newVectors(p.N, p.width)
	if err := p.features.draw(ctx, p.Pool, p.Args.Ints["seed"]); err != nil {
		return 0, err
	}
	weights := p.Args.Lists["iterationWeights"]
	part := func(i int) procedures.Progress { // quotients, for sums of them may exceed 1
		all := float64(len(weights) + 1)
		return procedures.Progress{From: float64(i) / all, To: float64(i+1) / all, Tell: tell}
	}
	if err := p.Each(ctx, part(0), func(_, v int) error { return p.draw(v) }); err != nil {
		return 0, err
	}
	edges := uint64(0)
	for i, weight := range weights {
		if err := p.Each(ctx, part(i+1), func(_, v int) error { return p.average(v, weight) }); err != nil {
			return edges, err
		}
		p.now, p.next = p.next, p.now
		for i := range p.sides {
			edges += sum(p.degree[i])
		}
	}
	return edges, ctx.Err()
}

func sum(all []int64) (total uint64) {
	for _, x := range all {
		total += uint64(x)
	}
	return total
}

// row is the vector of v.
func (p *projection) row(of []float64, v int) []float64 { return of[v*p.width:][:p.width:p.width] }

// edges is how many lead to neighbors of v, and 1 where none do.
func (p *projection) edges(v int) float64 {
	d := int64(0)
	for _, degree := range p.degree {
		d += degree[v]
	}
	return float64(max(1, d))
}

// draw gives v its random vector, and the embedding what of it counts.
func (p *projection) draw(v int) error {
	vector := p.row(p.now.numbers, v)
	signs, part := vector[:p.width-p.features.width], vector[p.width-p.features.width:]
	algorithms.FastRPSigns(p.Columns["id"].Ints[v], p.Args.Ints["seed"], signs)
	scale := math.Pow(p.edges(v), p.Args.Floats["normalizationStrength"])
	for k := range signs {
		signs[k] *= scale
	}
	p.features.project(v, part)
	p.now.lengths[v] = length(vector)
	clear(p.row(p.embedding, v))
	return p.add(v, p.Args.Floats["nodeSelfInfluence"], p.now, p.now.lengths[v])
}

// average makes the next vector of v of those that its neighbors have, and adds it to the embedding.
func (p *projection) average(v int, weight float64) error {
	vector, terms := p.row(p.next.numbers, v), 0.0
	clear(vector)
	share := 1 / p.edges(v)
	for _, lists := range p.sides {
		for _, c := range lists.Of(v) {
			_, from, to := c.Row(v)
			for i, u := range c.Neighbors[from:to] {
				w := share
				if len(c.Weights) > 0 {
					w *= c.Weights[0][from+i]
				}
				near := int(c.Cols.Base) + int(u)
				addScaled(vector, p.row(p.now.numbers, near), w)
				terms += math.Abs(w) * p.now.lengths[near]
			}
		}
	}
	p.next.lengths[v] = length(vector)
	return p.add(v, weight, p.next, terms)
}

// add adds a vector of v to its embedding, with length 1. One of which rounding is all that is left is set to 0.
func (p *projection) add(v int, weight float64, of vectors, terms float64) error {
	scale, err := algorithms.FastRPScale(of.lengths[v], terms)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "vertex %d: %w", p.Columns["id"].Ints[v], err)
	}
	if scale == 0 {
		clear(p.row(of.numbers, v))
		of.lengths[v] = 0
		return nil
	}
	addScaled(p.row(p.embedding, v), p.row(of.numbers, v), weight*scale)
	return nil
}

// draw draws what each number of the features adds.
func (f *features) draw(ctx context.Context, pool parallel.Pool, seed int64) error {
	f.signs, f.lengths = make([]float64, f.inputs*f.width), make([]float64, f.inputs)
	return pool.Run(ctx, f.inputs, func(_, input int) {
		row := f.signs[input*f.width:][:f.width]
		algorithms.FastRPFeatureSigns(input, seed, row)
		f.lengths[input] = length(row)
	})
}

// project makes of the features of v a part of its vector. One of which rounding is all that is left is 0.
func (f *features) project(v int, part []float64) {
	clear(part)
	terms := 0.0
	for input, x := range f.numbers[v*f.inputs:][:f.inputs] {
		if x != 0 {
			addScaled(part, f.signs[input*f.width:][:f.width], float64(x))
			terms += math.Abs(float64(x)) * f.lengths[input]
		}
	}
	if algorithms.FastRPCancels(length(part), terms) {
		clear(part)
	}
}

// addScaled adds so many times x to y.
func addScaled(y, x []float64, by float64) {
	x = x[:len(y)]
	for k := range y {
		y[k] += by * x[k]
	}
}

func length(vector []float64) float64 {
	square := 0.0
	for _, x := range vector {
		square += x * x
	}
	return math.Sqrt(square)
}
