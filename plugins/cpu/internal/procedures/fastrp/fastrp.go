// Package fastrp embeds vertices by random projection. It takes 16 bytes a vertex and number of an embedding, 16
// bytes a vertex, twice less than a huge page of memory, and 8 bytes a worker and number of an embedding; of each
// number of the features 8 bytes for each number of an embedding that is of features, and 8.
package fastrp

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/hugepages"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
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

// counts is what the vectors of a pass count in the embedding, and whether they are the first that do.
type counts struct {
	weight float64
	first  bool
}

// passes are the random vectors and then each average. If none counts, the last one makes embeddings of zeros.
func passes(args algorithms.Args) []counts {
	var all []counts
	begun := false
	weights := append([]float64{args.Floats["nodeSelfInfluence"]}, args.Lists["iterationWeights"]...)
	for i, weight := range weights {
		first := !begun && (weight != 0 || i == len(weights)-1)
		begun = begun || first
		all = append(all, counts{weight, first})
	}
	return all
}

// vectors are those of all vertices under way, one after the other, and their lengths.
type vectors struct{ numbers, lengths []float64 }

func newVectors(n, width int) vectors {
	return vectors{hugepages.Make[float64](n * width), make([]float64, n)}
}

// size of newVectors in bytes.
func size(n, width int) uint64 {
	numbers := 8 * uint64(n) * uint64(width)
	return numbers + hugepages.Slack(numbers) + 8*uint64(n)
}

func init() {
	procedures.Register("fastrp", func(f procedures.Input) (procedures.Procedure, error) {
		width := int(f.Args.Ints["embeddingDimension"])
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "out_degree", Type: algorithms.Int}, algorithms.Column{Name: "in_degree", Type: algorithms.Int},
			algorithms.Column{Name: "embedding", Type: algorithms.Float, Each: width})
		p := &projection{Input: f, width: width, embedding: f.Columns["embedding"].Floats}
		p.features = features{inputs: int(f.Args.Ints["featureProperties"]), width: embedding.FastRPFeatures(f.Args)}
		if err == nil && p.features.inputs > 0 {
			p.features.numbers, err = f.Rows.Require(algorithms.InputColumn("featureProperties"), f.N*p.features.inputs)
		}
		return p, err
	})
}

// Scratch: the vectors of two iterations, one of each worker, and those of features.
func (p *projection) Scratch() uint64 {
	last := 8 * uint64(p.Pool.Threads*p.width)
	return 2*size(p.N, p.width) + last + uint64(p.features.inputs)*8*(uint64(p.features.width)+1)
}

func (p *projection) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	p.sides, p.degree = p.Oriented(chunks)
	p.now, p.next = newVectors(p.N, p.width), newVectors(p.N, p.width)
	if err := p.features.draw(ctx, p.Pool, p.Args.Ints["seed"]); err != nil {
		return 0, err
	}
	passes := passes(p.Args)
	part := func(i int) procedures.Progress { // quotients, for sums of them may exceed 1
		all := float64(len(passes))
		return procedures.Progress{From: float64(i) / all, To: float64(i+1) / all, Tell: tell}
	}
	if err := p.Each(ctx, part(0), func(_, v int) error { return p.draw(v, passes[0]) }); err != nil {
		return 0, err
	}
	edges := uint64(0)
	for i, counts := range passes[1:] {
		into := func(_, v int) []float64 { return p.row(p.next.numbers, v) }
		if i+2 == len(passes) { // no other pass reads them
			rows := make([]float64, p.Pool.Threads*p.width)
			into = func(worker, _ int) []float64 { return p.row(rows, worker) }
		}
		average := func(worker, v int) error { return p.average(v, into(worker, v), counts) }
		if err := p.Each(ctx, part(i+1), average); err != nil {
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
func (p *projection) draw(v int, counts counts) error {
	drawn := p.row(p.now.numbers, v)
	signs, part := drawn[:p.width-p.features.width], drawn[p.width-p.features.width:]
	embedding.FastRPSigns(p.Columns["id"].Ints[v], p.Args.Ints["seed"], signs)
	scale := math.Pow(p.edges(v), p.Args.Floats["normalizationStrength"])
	if scale != 1 {
		for k := range signs {
			signs[k] *= scale
		}
	}
	p.features.project(v, part)
	long := length(drawn)
	kept, err := p.add(v, drawn, long, long, counts)
	p.now.lengths[v] = kept
	return err
}

// average makes sum the next vector of v, of those that its neighbors have, and adds it to the embedding.
func (p *projection) average(v int, sum []float64, counts counts) error {
	terms := 0.0
	clear(sum)
	share := 1 / p.edges(v)
	for _, lists := range p.sides {
		for _, c := range lists.Of(v) {
			_, from, to := c.Row(v)
			near, base, weights := c.Neighbors[from:to], int(c.Cols.Base), []float64(nil)
			if len(c.Weights) > 0 {
				weights = c.Weights[0][from:to]
			}
			vector.AddShares(sum, p.now.numbers[base*p.width:], near, share, weights)
			terms += lengths(p.now.lengths[base:], near, share, weights)
		}
	}
	kept, err := p.add(v, sum, length(sum), terms, counts)
	p.next.lengths[v] = kept
	return err
}

// lengths adds up those of vectors that indices name, times share and their weights.
func lengths(of []float64, near []uint32, share float64, weights []float64) (total float64) {
	for i, u := range near {
		w := share
		if weights != nil {
			w *= weights[i]
		}
		total += math.Abs(w) * of[u]
	}
	return total
}

// add adds a vector of v, of a length, from terms of these lengths together, to its embedding, with length 1, and tells
// what length it keeps: one of which rounding is all that is left is set to 0.
func (p *projection) add(v int, of []float64, length, terms float64, counts counts) (kept float64, err error) {
	scale, err := embedding.FastRPScale(length, terms)
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "vertex %d: %w", p.Columns["id"].Ints[v], err)
	}
	embedding := p.row(p.embedding, v)
	if counts.first {
		clear(embedding)
	}
	switch {
	case scale == 0:
		clear(of)
		return 0, nil
	case counts.weight != 0:
		addScaled(embedding, of, counts.weight*scale)
	}
	return length, nil
}

// draw draws what each number of the features adds.
func (f *features) draw(ctx context.Context, pool parallel.Pool, seed int64) error {
	f.signs, f.lengths = make([]float64, f.inputs*f.width), make([]float64, f.inputs)
	return pool.Run(ctx, f.inputs, func(_, input int) {
		row := f.signs[input*f.width:][:f.width]
		embedding.FastRPFeatureSigns(input, seed, row)
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
	if embedding.FastRPCancels(length(part), terms) {
		clear(part)
	}
}

// addScaled adds so many times x to y.
func addScaled(y, x []float64, by float64) { vector.AddShares(y, x, oneRow, by, nil) }

var oneRow = []uint32{0}

// length is that of a vector. Four sums at once, for each addition of one waits for that before.
func length(numbers []float64) float64 {
	var squares [4]float64
	for ; len(numbers) >= 4; numbers = numbers[4:] {
		squares[0] += numbers[0] * numbers[0]
		squares[1] += numbers[1] * numbers[1]
		squares[2] += numbers[2] * numbers[2]
		squares[3] += numbers[3] * numbers[3]
	}
	for i, x := range numbers {
		squares[i] += x * x
	}
	return math.Sqrt(squares[0] + squares[1] + (squares[2] + squares[3]))
}
