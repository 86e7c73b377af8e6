package learners

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/mega/linear"
)

// measure finds w·x of samples, and keeps it in 32 bits, by which the objective would be known to 1e-9 only.
func (c *regression) measure(chunks []*csr.Chunk) []float64 {
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
	return margins
}

// objective is f of the weights, by w·x of samples.
func (c *regression) objective(p linear.Params, margins []float64) (f float64) {
	for v, y := range c.labels {
		if f += p.Penalty(float64(c.weights[v])); y == y {
			f += linear.Loss(float64(y) * margins[v])
		}
	}
	return f
}

// samples are what is learned from, as package linear has them.
func (c *regression) samples(chunks []*csr.Chunk) linear.Samples {
	return linear.Samples{Labels: c.labels, Each: func(do func(int, int, []uint32, []float64)) { eachList(chunks, do) }}
}

// betas are those that samples have in the rows of Dual.
func (c *regression) betas(rows []float64) []float64 {
	betas := make([]float64, c.N)
	for v, y := range c.labels {
		if i := c.graph.Left.Place[v]; i > 0 && c.graph.Left.Degree[i-1] > 0 {
			betas[v] = rows[int(i-1)*linear.DualWidth+linear.Beta]
		} else if y == y {
			betas[v] = 0.5 // it has no features
		}
	}
	return betas
}
