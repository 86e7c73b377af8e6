package cpu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/shape"
)

// messages are what vertices send in an iteration, one a vertex: values, keys where they
// are pushed as they are, or numbers in single precision.
type messages struct {
	column  vector.Column
	singles []float32 // in place of column
}

// allocate makes the column that kernels read from, most of them at random.
func (m *messages) allocate(p *code, atRandom bool) {
	switch t := messageType(p); {
	case p.sendsSingles():
		m.singles = onHugePages[float32](p.n)
	case !atRandom:
		m.column = vector.Make(t, p.n)
	case t == algorithms.Float:
		m.column.Floats = onHugePages[float64](p.n)
	case t == algorithms.Int:
		m.column.Ints = onHugePages[int64](p.n)
	default:
		m.column = vector.Make(algorithms.Bool, p.n)
	}
}

// messageBytes is what allocate takes, at most.
func messageBytes(p *code, atRandom bool) uint64 {
	bytes := 8 * uint64(p.n)
	if p.sendsSingles() {
		bytes /= 2
	}
	if atRandom {
		bytes += hugeSlack(bytes)
	}
	return bytes
}

// messageType is that of the column: keys when messages are pushed as they are.
func messageType(p *code) algorithms.Type {
	if !shape.Accumulates(p.spec.Reduce) && p.process.Weighting == shape.Unweighted {
		return algorithms.Int
	}
	return p.accType
}
