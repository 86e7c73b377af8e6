package learners

import (
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/linear"
)

// measure finds the margins of samples. Those of 32 bits are kept, by which the objective would be known to 1e-9 only.
func (c *regression) measure(chunks []*csr.Chunk) {
	margins := make([]float64, c.N)
	eachList(chunks, func(sample, base int, features []uint32, values []float64) {
		weights, sum := c.weights[base:], 0.0
		for i, j := range features {
			sum += float64(weights[j]) * values[i]
		}
		margins[sample] += sum
	})
	for v, m := range margins {
		c.margins[v] = float32(m)
	}
	c.exact = margins
}

// margin is y w·x of a sample.
func (c *regression) margin(sample int) float64 {
	return float64(c.labels[sample]) * c.exact[sample]
}

// wrong is how probable it is, by the weights, that a sample is not of its class.
func (c *regression) wrong(sample int) float64 { return 1 / (1 + math.Exp(c.margin(sample))) }

// slopes are Σ β y x of features, for some β of the samples that are learned from.
func (c *regression) slopes(chunks []*csr.Chunk, beta func(sample int) float64) []float64 {
	signed, slopes := make([]float64, c.N), make([]float64, c.N)
	for v, y := range c.labels {
		if y == y {
			signed[v] = float64(y) * beta(v)
		}
	}
	eachList(chunks, func(sample, base int, features []uint32, values []float64) {
		of, times := slopes[base:], signed[sample]
		for i, j := range features {
			of[j] += times * values[i]
		}
	})
	return slopes
}

// curvatures are Σ β (1 − β) x² of features, of the β of wrong.
func (c *regression) curvatures(chunks []*csr.Chunk) []float64 {
	bends, curvatures := make([]float64, c.N), make([]float64, c.N)
	for v, y := range c.labels {
		if y == y {
			bends[v] = c.wrong(v) * (1 - c.wrong(v))
		}
	}
	eachList(chunks, func(sample, base int, features []uint32, values []float64) {
		of, times := curvatures[base:], bends[sample]
		for i, j := range features {
			of[j] += times * values[i] * values[i]
		}
	})
	return curvatures
}

// excess is how far the objective may be above the least, as a share of it, by its slopes.
func (c *regression) excess(p linear.Params, chunks []*csr.Chunk) float64 {
	objective, above := c.objective(p), 0.0
	slopes, curvatures := c.slopes(chunks, c.wrong), c.curvatures(chunks)
	for v, slope := range slopes {
		above += p.Excess(float64(c.weights[v]), -slope, curvatures[v])
	}
	return above / objective
}

// objective is f of the weights.
func (c *regression) objective(p linear.Params) (f float64) {
	for v, y := range c.labels {
		if f += p.Penalty(float64(c.weights[v])); y == y {
			f += linear.Loss(c.margin(v))
		}
	}
	return f
}

// gap is how far the objective is from the least, at the most, as a share of it: by the dual of the β that samples have
// in the rows of Dual.
func (c *regression) gap(p linear.Params, chunks []*csr.Chunk, rows []float64) float64 {
	beta := func(sample int) float64 {
		if i := c.graph.Left.Place[sample]; i > 0 && c.graph.Left.Degree[i-1] > 0 {
			return rows[int(i-1)*linear.DualWidth+linear.Beta]
		}
		return 0.5 // it has no features
	}
	objective, least := c.objective(p), 0.0
	for v, y := range c.labels {
		if y == y {
			least += linear.Entropy(beta(v))
		}
	}
	for _, slope := range c.slopes(chunks, beta) {
		least -= p.Conjugate(slope)
	}
	return (objective - least) / objective
}
