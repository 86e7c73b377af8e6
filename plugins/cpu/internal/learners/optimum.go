package learners

import (
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/linear"
)

// measure finds the margins of samples.
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
}

// margin is y w·x of a sample.
func (c *regression) margin(sample int) float64 {
	return float64(c.labels[sample]) * float64(c.margins[sample])
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

// off is how far the weights are from where each would be best, in all, by the slopes of wrong.
func (c *regression) off(p linear.Params, slopes []float64) (sum float64) {
	for v, slope := range slopes {
		sum += p.Off(float64(c.weights[v]), -slope)
	}
	return sum
}

// gap is how far the objective is from the least, at the most, as a share of it: by the dual of the β that samples have
// in the rows of Dual.
func (c *regression) gap(p linear.Params, chunks []*csr.Chunk, g *Bipartite[float32], rows []float64) float64 {
	beta := func(sample int) float64 {
		if i := g.Left.Place[sample]; i > 0 && g.Left.Degree[i-1] > 0 {
			return rows[int(i-1)*linear.DualWidth+linear.Beta]
		}
		return 0.5 // it has no features
	}
	objective, least := 0.0, 0.0
	for v, y := range c.labels {
		if y == y {
			objective += linear.Loss(c.margin(v))
			least += linear.Entropy(beta(v))
		}
	}
	for v, slope := range c.slopes(chunks, beta) {
		objective += p.Penalty(float64(c.weights[v]))
		least -= p.Conjugate(slope)
	}
	return (objective - least) / objective
}
