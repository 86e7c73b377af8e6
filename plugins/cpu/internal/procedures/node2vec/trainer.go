package node2vec

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// trainer goes up the slope of what groups of pairs teach. All steps of a group are of the vectors before it.
type trainer struct {
	x, y  []float32 // of all vertices
	width int

	inputs, outputs, steps []float32 // x of the vertices of a group, y of their contexts, and where x goes
	negatives, transposed  []float32 // y of the negatives, by row and by column
	moved                  []float32 // where these go
	vertices, contexts     []uint32
	drawn                  []uint32
	one                    []float32
	good, bad              []float32 // slopes of the pairs, and of each vertex with each negative
}

const group = embedding.Group

func (e *learning) trainerBytes() uint64 {
	k := uint64(e.Args.Ints["negativeSamplingRate"])
	return 4*(uint64(e.width)*(3*group+3*k)+3*group+k+1+group*k) + 8
}

func (e *learning) newTrainer(x, y []float32) *trainer {
	k := int(e.Args.Ints["negativeSamplingRate"])
	rows := func(n int) []float32 { return make([]float32, n*e.width) }
	return &trainer{x: x, y: y, width: e.width, inputs: rows(group), outputs: rows(group), steps: rows(group),
		negatives: rows(k), transposed: rows(k), moved: rows(k), vertices: make([]uint32, group),
		contexts: make([]uint32, group), drawn: make([]uint32, k), one: []float32{1}, good: make([]float32, group),
		bad: make([]float32, group*k)}
}

// teach goes through the blocks of an episode: at a time as many as there are parts, no two of which have a vertex or a
// context in common.
func (ep *episode) teach(ctx context.Context, number int, trainers []*trainer, drawers []drawer) error {
	for step := range ep.Parts {
		err := ep.Pool.Run(ctx, ep.Parts, func(worker, from int) {
			to := (from + step) % ep.Parts
			block, first := from*ep.Parts+to, 0
			if block > 0 {
				first = ep.ends[block-1]
			}
			pairs, draws := ep.pairs[first:ep.ends[block]], ep.Negatives(number, from, to)
			for i := 0; i < len(pairs) && ctx.Err() == nil; i += group {
				done := float64(i) / float64(len(pairs))
				rate := ep.Rate(number, (float64(step)+done)/float64(ep.Parts))
				trainers[worker].step(pairs[i:min(i+group, len(pairs))], &drawers[to], &draws, float32(rate))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// step is one of a group:
//
//	good(i) = rate · (1 - σ(x(vᵢ)·y(cᵢ)));   bad(i,k) = -rate · σ(x(vᵢ)·y(nₖ)), 0 where nₖ = cᵢ
//	x(vᵢ) += good(i)·y(cᵢ) + Σₖ bad(i,k)·y(nₖ);   y(cᵢ) += good(i)·x(vᵢ);   y(nₖ) += Σᵢ bad(i,k)·x(vᵢ)
func (t *trainer) step(pairs []embedding.Pair, d *drawer, draws *random.Draws, rate float32) {
	t.gather(pairs, d, draws)
	t.slopes(len(pairs), rate)
	t.climb(len(pairs))
}

// gather copies the vectors of a group.
func (t *trainer) gather(pairs []embedding.Pair, d *drawer, draws *random.Draws) {
	for i, p := range pairs {
		t.vertices[i], t.contexts[i] = p.Vertex, p.Context
		copy(t.inputs[i*t.width:][:t.width], t.x[int(p.Vertex)*t.width:])
		copy(t.outputs[i*t.width:][:t.width], t.y[int(p.Context)*t.width:])
	}
	for k := range t.drawn {
		t.drawn[k] = d.draw(draws)
		row := t.y[int(t.drawn[k])*t.width:][:t.width]
		copy(t.negatives[k*t.width:], row)
		for j, number := range row {
			t.transposed[j*len(t.drawn)+k] = number
		}
	}
}

// slopes computes good and bad of n pairs.
func (t *trainer) slopes(n int, rate float32) {
	count := len(t.drawn)
	good, bad := t.good[:n], t.bad[:n*count]
	vector.DotParts(good, vector.Operand[float32]{Of: t.inputs}, vector.Operand[float32]{Of: t.outputs}, n, 1, t.width)
	clear(bad)
	for k := 0; k < count; k += columns {
		vector.AddProduct(bad[k:], count, t.inputs, t.width, 1, t.transposed[k:], count, n, min(columns, count-k), t.width)
	}
	sigmoid(good)
	sigmoid(bad)
	for i := range good {
		good[i] = rate * (1 - good[i])
		for k, negative := range t.drawn {
			if bad[i*count+k] *= -rate; negative == t.contexts[i] {
				bad[i*count+k] = 0
			}
		}
	}
}

const columns = 32 // of a product at a time

func sigmoid(z []float32) {
	if vector.Unary(dataflow.Sigmoid, z, z, 0) {
		return
	}
	for i, x := range z {
		z[i] = float32(1 / (1 + math.Exp(-float64(x))))
	}
}

// climb goes up the slopes.
func (t *trainer) climb(n int) {
	count, width := len(t.drawn), t.width
	steps, moved := t.steps[:n*width], t.moved[:count*width]
	vector.ScaleParts(steps, t.outputs[:n*width], t.good[:n], 1, width)
	clear(moved)
	for j := 0; j < width; j += columns {
		vector.AddProduct(steps[j:], width, t.bad, count, 1, t.negatives[j:], width, n, min(columns, width-j), count)
	}
	vector.AddOuter(moved, t.bad, t.inputs, n, count, width)
	for i := range n {
		vector.Scatter(t.x, t.vertices[i:i+1], t.one, steps[i*width:][:width])
		vector.Scatter(t.y, t.contexts[i:i+1], t.good[i:i+1], t.inputs[i*width:][:width])
	}
	for k := range count {
		vector.Scatter(t.y, t.drawn[k:k+1], t.one, moved[k*width:][:width])
	}
}
