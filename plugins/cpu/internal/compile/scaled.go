package compile

import (
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Scaled is a message of the form column·weight of the vertex that sends it.
type Scaled struct {
	column []float64
	weight *term
}

// newScaled is nil where the message of p has another form.
func newScaled(p *Code, s evaluation.Scope) (*Scaled, error) {
	if !p.sendsSums() {
		return nil, nil
	}
	m, _ := withoutSingle(p.Process.Message)
	if p.Process.Weighting != shape.Unweighted {
		m = p.Process.Message
	}
	rest, weight := p.times(m, m.GetExpr())
	for i, state := range p.Spec.State {
		if vector.Name(m, rest) == "src."+state.Name && p.State[i].Floats != nil {
			t, err := p.newTerm(s, weight, 1)
			return &Scaled{column: p.State[i].Floats, weight: t}, err
		}
	}
	return nil, nil
}

// Write sets messages to what the vertices from `from` on send.
func Write[M float64 | float32](m *Scaled, messages []M, from int) {
	weight, column := m.weight.from(from), m.column[from:]
	column = column[:len(messages)]
	for i, x := range column {
		messages[i] = M(x * weight.at(i))
	}
}
