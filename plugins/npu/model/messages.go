package model

import (
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// messages computes what vertices send, as far as they alone decide it.
type messages struct {
	plan     *Plan
	program  *vector.Program
	machine  *vector.Machine
	identity vector.Scalar
	columns  []vector.Column // of each lane
	sources  []uint64        // who has edges to send along
}

func compileMessage(message *exprpb.CheckedExpr) (*vector.Program, error) {
	s := vector.Scope{Inputs: map[string]algorithms.Type{}}
	variables(message, message.GetExpr(), s.Inputs)
	return vector.Compile(s, message)
}

// variables adds those that e reads to found, but for edge.*.
func variables(checked *exprpb.CheckedExpr, e *exprpb.Expr, found map[string]algorithms.Type) {
	if name := vector.Name(checked, e); name != "" && checked.GetReferenceMap()[e.GetId()].GetValue() == nil &&
		!strings.HasPrefix(name, "edge.") {
		found[name] = shape.Type(shape.Part(checked, e))
	}
	for _, arg := range e.GetCallExpr().GetArgs() {
		variables(checked, arg, found)
	}
}

func newMessages(p *Plan, n int) (*messages, error) {
	program, err := compileMessage(p.shape.Message)
	if err != nil {
		return nil, unsupported("%w", err)
	}
	m := &messages{plan: p, program: program, machine: vector.NewMachine(program),
		identity: vector.Identity(p.program.Reduce, p.accType), sources: make([]uint64, blockwise.Ceil(n, 64))}
	for range p.size.Lanes {
		m.columns = append(m.columns, vector.Make(p.accType, n))
	}
	return m, nil
}

// watch notes who is the source of edges that are gone through. The message of anybody else arrives nowhere, and
// may be none that a matrix could be multiplied by: of PageRank it is a rank divided by 0.
func (m *messages) watch(edges Edges) Edges {
	seen := false
	return func(yield func(Row) bool) {
		for row := range edges {
			for _, source := range row.Sources {
				if seen {
					break
				}
				m.sources[source/64] |= 1 << (source % 64)
			}
			if !yield(row) {
				return
			}
		}
		seen = true
	}
}

// of are the messages of a lane: the identity of Reduce where nobody sends.
func (m *messages) of(i int, l *Lane) vector.Column {
	sent := m.columns[i]
	n := columnLen(sent)
	for from := 0; from < n; from += vector.Width {
		to := min(from+vector.Width, n)
		for k, in := range m.program.Inputs {
			m.machine.Bind(k, l.Columns[in.Name].Slice(from, to))
		}
		m.machine.Eval(to - from)
		sent.Slice(from, to).Copy(m.machine.Output(0, to-from))
	}
	m.silence(sent, l.Senders)
	return sent
}

// silence has those send nothing who are not senders, or have no edge.
func (m *messages) silence(sent vector.Column, senders []uint64) {
	sends := func(v int) bool { return senders[v/64]&m.sources[v/64]>>(v%64)&1 != 0 }
	for v := range sent.Floats {
		if !sends(v) {
			sent.Floats[v] = m.identity.Float
		}
	}
	for v := range sent.Ints {
		if !sends(v) {
			sent.Ints[v] = m.identity.Int
		}
	}
	for v := range sent.Bools {
		if !sends(v) {
			sent.Bools[v] = m.identity.Bool
		}
	}
}

func columnLen(c vector.Column) int { return max(len(c.Floats), len(c.Ints), len(c.Bools)) }

// messageBytes is what messages takes.
func messageBytes(s Size) uint64 { return 8*uint64(s.N)*uint64(s.Lanes) + 64<<10 }
