package train

import (
	"math/rand/v2"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// slopes are the gradients that a pass computes which learns: of parameters, and of rows of vertices.
func slopes(c *neural.Compiled) []*dataflow.Value {
	all := append(slices.Clone(c.Program.Gradients), c.EmbeddingSlope)
	return slices.DeleteFunc(all, func(v *dataflow.Value) bool { return v == nil })
}

// draw draws all that a network learns, as it is at first, with optimizers: parameters where the device reads them, and
// rows of vertices, which bring takes there.
func draw(s *Session, c *neural.Compiled, r *rand.Rand) (all [][]float32, by []*neural.Optimizer[float32]) {
	for _, each := range c.Learned {
		neural.Draw(each, r, s.Of(each.Value))
		all = append(all, s.Of(each.Value))
	}
	if c.Embedding != nil {
		rows := make([]float32, s.vertices*uint64(c.Embedding.Width))
		neural.Draw(neural.Learned{Start: neural.Small, Fan: 1}, r, rows)
		all = append(all, rows)
	}
	for _, each := range all {
		by = append(by, neural.NewOptimizer[float32](c.Model.Training, len(each)))
	}
	return all, by
}

// bring brings the rows of vertices that are learned to the device.
func bring(s *Session, c *neural.Compiled, all [][]float32) error {
	if c.Embedding == nil {
		return nil
	}
	return s.Write(neural.InputEmbedding, all[len(c.Learned)])
}

// step changes all that a network learns by its gradients. Rows says how much of the weight decay is on the row of each
// vertex; nil: all of it.
func step(c *neural.Compiled, all [][]float32, by []*neural.Optimizer[float32], epoch int,
	of func(*dataflow.Value) []float32, rows []float32) {
	p, t := c.Program, c.Model.Training
	for i, each := range c.Learned {
		if p.Gradients[i] == nil {
			continue
		}
		decay := 0.0
		if each.Decay {
			decay = t.WeightDecay
		}
		by[i].Step(all[i], of(p.Gradients[i]), t.Rate(epoch), decay)
	}
	if c.EmbeddingSlope != nil {
		last := len(c.Learned)
		learnRows(by[last], all[last], of(c.EmbeddingSlope), rows, t, epoch)
	}
}

// learnRows is a step of rows of vertices.
func learnRows(by *neural.Optimizer[float32], numbers, slope, rows []float32, t neural.Training, epoch int) {
	if rows == nil {
		by.Step(numbers, slope, t.Rate(epoch), t.WeightDecay)
		return
	}
	width := len(numbers) / max(len(rows), 1)
	for v, share := range rows {
		decay := float32(t.WeightDecay) * share
		for i := v * width; i < (v+1)*width; i++ {
			slope[i] += decay * numbers[i]
		}
	}
	by.Step(numbers, slope, t.Rate(epoch), 0)
}

// copied are lists of their own.
func copied(all [][]float32) [][]float32 {
	own := make([][]float32, len(all))
	for i, each := range all {
		own[i] = slices.Clone(each)
	}
	return own
}
