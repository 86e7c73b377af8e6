package cpu

import (
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
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

// compileHoisted compiles the parts of Process over the names of s, and Process without
// them.
func (p *program) compileHoisted(s scope, process *exprpb.CheckedExpr) (*vector.Program, error) {
	residue, parts := hoist(process, p.pulls())
	if len(parts) > 0 {
		var err error
		if p.hoisted, err = newEvaluation(p.pool.Threads, s, parts...); err != nil {
			return nil, err
		}
	}
	p.hoistedColumns = make([]vector.Column, len(parts))
	for k := range parts {
		for _, side := range []string{"src.", "dst."} {
			s.add(fmt.Sprintf("%s#%d", side, k), p.hoisted.program.Outputs[k].Type, nil)
		}
	}
	rest, err := vector.Compile(s.Scope, residue)
	return rest, asUnsupported(err)
}

// hoistedBytes is what their columns take.
func (p *program) hoistedBytes() (bytes uint64) {
	for k := range p.hoistedColumns {
		bytes += uint64(p.n) * kit.Width(p.hoisted.program.Outputs[k].Type)
	}
	return bytes
}

func (p *program) allocateHoisted() {
	for k := range p.hoistedColumns {
		p.hoistedColumns[k] = vector.Make(p.hoisted.program.Outputs[k].Type, p.n)
	}
}

// writeHoisted computes the parts for a block; a push reads those of active vertices only.
func (p *program) writeHoisted(worker, from, to int) {
	p.sending(from, to, func(from, to int) {
		m := p.hoisted.run(worker, from, to)
		for k, c := range p.hoistedColumns {
			c.Slice(from, to).Copy(m.Output(k, to-from))
		}
	})
}

// vertexColumn is a column of the program by name, or a hoisted one.
func (p *program) vertexColumn(name string) *vector.Column {
	var k int
	if _, err := fmt.Sscanf(name, "#%d", &k); err == nil {
		return &p.hoistedColumns[k]
	}
	c := p.columns[name]
	return &c
}
