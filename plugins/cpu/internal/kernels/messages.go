package kernels

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/hugepages"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Messages are what vertices send in an iteration, one a vertex: values, keys where they
// are pushed as they are, or numbers in single precision.
type Messages struct {
	Column  vector.Column
	Singles []float32 // in place of column
}

// Allocate makes the column that kernels read from, most of them at random.
func (m *Messages) Allocate(p *compile.Code, atRandom bool) {
	switch t := messageType(p); {
	case p.SendsSingles():
		m.Singles = hugepages.Make[float32](p.N)
	case !atRandom:
		m.Column = vector.Make(t, p.N)
	case t == algorithms.Float:
		m.Column.Floats = hugepages.Make[float64](p.N)
	case t == algorithms.Int:
		m.Column.Ints = hugepages.Make[int64](p.N)
	default:
		m.Column = vector.Make(algorithms.Bool, p.N)
	}
}

// MessageBytes is what allocate takes, at most.
func MessageBytes(p *compile.Code, atRandom bool) uint64 {
	bytes := 8 * uint64(p.N)
	if p.SendsSingles() {
		bytes /= 2
	}
	if atRandom {
		bytes += hugepages.Slack(bytes)
	}
	return bytes
}

// messageType is that of the column: keys when messages are pushed as they are.
func messageType(p *compile.Code) algorithms.Type {
	if !shape.Accumulates(p.Spec.Reduce) && p.Process.Weighting == shape.Unweighted {
		return algorithms.Int
	}
	return p.AccType
}
