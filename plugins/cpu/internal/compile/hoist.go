package compile

import (
	"fmt"
	"strings"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
)

// mostHoisted bounds the vertex columns that hoisted parts take.
const mostHoisted = 4

// hoist takes out of a Process what its source alone decides and, in a pull, its target
// alone: that is computed once a vertex, not once an edge. The residue names the k-th
// part src.#k or dst.#k. In a push few vertices may send, and their targets are not
// known beforehand.
func hoist(checked *exprpb.CheckedExpr, pull bool) (residue *exprpb.CheckedExpr, parts []*exprpb.CheckedExpr) {
	h := hoister{checked: checked, sides: []string{"src."}}
	if pull {
		h.sides = append(h.sides, "dst.")
	}
	return shape.Part(checked, h.visit(checked.GetExpr())), h.parts
}

type hoister struct {
	checked *exprpb.CheckedExpr
	sides   []string
	parts   []*exprpb.CheckedExpr
}

// visit is e with parts replaced by their names.
func (h *hoister) visit(e *exprpb.Expr) *exprpb.Expr {
	call := e.GetCallExpr()
	if call == nil {
		return e
	}
	for _, side := range h.sides {
		if len(h.parts) < mostHoisted && h.varies(e) && only(h.checked, e, side) {
			h.parts = append(h.parts, shape.Part(h.checked, e))
			return shape.Named(fmt.Sprintf("%s#%d", side, len(h.parts)-1))
		}
	}
	args := make([]*exprpb.Expr, len(call.GetArgs()))
	for i, arg := range call.GetArgs() {
		args[i] = h.visit(arg)
	}
	return shape.Called(call.GetFunction(), args...)
}

// varies tells whether e has a variable of the edge or its ends.
func (h *hoister) varies(e *exprpb.Expr) bool { return !only(h.checked, e, "") }

// only tells whether each variable of e that an edge has an own value for begins with
// side; "" is the side of none.
func only(checked *exprpb.CheckedExpr, e *exprpb.Expr, side string) bool {
	if name := vector.Name(checked, e); strings.Contains(name, ".") {
		return side != "" && strings.HasPrefix(name, side)
	}
	for _, arg := range e.GetCallExpr().GetArgs() {
		if !only(checked, arg, side) {
			return false
		}
	}
	return true
}

// Hoisted are the parts of a Process that are computed once a vertex, a column each.
type Hoisted struct {
	*evaluation.Evaluation
	columns []vector.Column
}

// newHoisted compiles the parts of process over the names of s, and what is left without
// them. It is nil where there are none.
func newHoisted(p *Code, s evaluation.Scope, process *exprpb.CheckedExpr) (h *Hoisted, residue *vector.Program,
	err error) {
	rest, parts := hoist(process, p.Pulls)
	if len(parts) > 0 {
		h = &Hoisted{columns: make([]vector.Column, len(parts))}
		if h.Evaluation, err = evaluation.New(p.Workers, s, parts...); err != nil {
			return nil, nil, err
		}
	}
	for k := range parts {
		for _, side := range []string{"src.", "dst."} {
			s.Add(fmt.Sprintf("%s#%d", side, k), h.Program.Outputs[k].Type, nil)
		}
	}
	residue, err = vector.Compile(s.Scope, rest)
	return h, residue, shape.Unsupported(err)
}

// bytes is what h takes for n vertices.
func (h *Hoisted) bytes(n int) uint64 {
	if h == nil {
		return 0
	}
	bytes := h.Size()
	for k := range h.columns {
		bytes += uint64(n) * kit.Width(h.Program.Outputs[k].Type)
	}
	return bytes
}

func (h *Hoisted) allocate(n int) {
	for k := range h.columns {
		h.columns[k] = vector.Make(h.Program.Outputs[k].Type, n)
	}
}

// Write computes the parts for the vertices [from, to).
func (h *Hoisted) Write(worker, from, to int) {
	m := h.Run(worker, from, to)
	for k, c := range h.columns {
		c.Slice(from, to).Copy(m.Output(k, to-from))
	}
}

// VertexColumn is a column of the program by name, or a hoisted one.
func (p *Code) VertexColumn(name string) *vector.Column {
	var k int
	if _, err := fmt.Sscanf(name, "#%d", &k); err == nil {
		return &p.Hoisted.columns[k]
	}
	c := p.Columns[name]
	return &c
}
