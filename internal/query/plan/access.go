package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// access is a way to find the nodes for a vertex: how many it finds, how many of these are left by what else is asked
// of them, and which condition it fulfills.
type access struct {
	found    float64
	rows     float64
	fulfills *condition
	operator func(Step) Operator
	seeks    bool   // nodes with a value, by an index or by ids
	single   bool   // there can be only one
	label    string // that all nodes of the index have; empty: no index of a label is used
}

// beats tells whether a is the better way. Counts are of the moment at which the statement was planned, and a statement
// that writes makes them wrong: where there is nothing yet, a scan looks cheap, and is run again for each row that is
// created. So what finds one node at most is best, whatever is counted, and a value is looked up rather than a label's
// few nodes gone through.
func (a access) beats(b access) bool {
	if a.single != b.single {
		return a.single
	}
	if a.seeks != b.seeks && max(a.rows, b.rows) <= 1 {
		return a.seeks
	}
	return a.rows < b.rows
}

// finder looks for the ways to find the nodes of a vertex, by what the conditions say of them.
type finder struct {
	*vertex
	graph      Statistics
	conditions []*condition
	solved     map[int]bool // slots that the row has
}

// access is the best way to find a vertex.
func (m *matching) access(v *vertex) access { return finder{v, m.graph, m.conditions, m.solved}.best() }

// best is the best way, where what is asked of the nodes besides counts too.
func (f finder) best() access {
	best := f.allNodes()
	for _, c := range f.conditions {
		if c.done || !c.needs[f.slot] || !c.ready(f.solved, f.slot) {
			continue
		}
		if a, ok := f.accessBy(c); ok && a.beats(best) {
			best = a
		}
	}
	best.found = best.rows
	for _, c := range f.conditions {
		if c != best.fulfills && !best.implies(c, f.slot) && !c.done && c.needs[f.slot] && c.ready(f.solved, f.slot) {
			best.rows *= selectivity(f.graph, c.expression)
		}
	}
	return best
}

// implies tells whether all nodes that the access finds have the label which a condition asks for.
func (a access) implies(c *condition, slot int) bool {
	return a.label != "" && requiresLabel(c.expression, slot, a.label)
}

func (f finder) allNodes() access {
	return access{rows: float64(f.graph.NodeCount()), operator: func(step Step) Operator {
		return &AllNodes{Step: step, Slot: f.slot, Name: f.name}
	}}
}

// accessBy is the access that a condition allows.
func (f finder) accessBy(c *condition) (access, bool) {
	if a, ok := f.byLabels(c); ok {
		return a, true
	}
	if e, ok := c.expression.(*ast.Binary); ok {
		side, op, other := e.Left, e.Op, e.Right
		if uses(side, f.slot) && uses(other, f.slot) {
			return access{}, false
		}
		if uses(other, f.slot) {
			side, op, other = other, mirrored[op], side
		}
		if isID(side, f.slot) && (op == ast.Equal || op == ast.In) {
			return f.byID(c, other, op == ast.In), true
		}
		return f.byIndex(c, side, op, other)
	}
	return access{}, false
}

// byLabels is access by the labels that a condition asks for, such as n:A|B.
func (f finder) byLabels(c *condition) (access, bool) {
	labels, whole := cover(f.graph, c.expression, func(e ast.Expression) bool { return isSlot(e, f.slot) })
	if labels == nil {
		return access{}, false
	}
	a := access{rows: labeled(f.graph, labels...), operator: func(step Step) Operator {
		return &NodesByLabel{Step: step, Slot: f.slot, Name: f.name, Labels: labels}
	}}
	if whole {
		a.fulfills = c
	}
	return a, true
}

// cover is labels of which each node has one that fulfills a condition on the labels of a subject; nil: there are none,
// as of n:!A. Whole: each node that has one of them fulfills it. Of A&B one is enough, the one with fewer nodes.
func cover(graph Statistics, e ast.Expression, isSubject func(ast.Expression) bool) (labels []string, whole bool) {
	switch e := e.(type) {
	case *ast.HasLabels:
		if isSubject(e.Subject) {
			fewest := slices.MinFunc(e.Labels, func(a, b string) int {
				return cmp.Compare(labeled(graph, a), labeled(graph, b))
			})
			return []string{fewest}, len(e.Labels) == 1
		}
	case *ast.Binary:
		left, leftWhole := cover(graph, e.Left, isSubject)
		right, rightWhole := cover(graph, e.Right, isSubject)
		switch {
		case e.Op == ast.Or && left != nil && right != nil:
			return append(left, slices.DeleteFunc(right, func(label string) bool { return slices.Contains(left, label) })...),
				leftWhole && rightWhole
		case e.Op == ast.And && (right == nil || left != nil && labeled(graph, left...) <= labeled(graph, right...)):
			return left, false
		case e.Op == ast.And:
			return right, false
		}
	}
	return nil, false
}

// mirrored are operators that say the same with their sides exchanged. The others are as good as
// Or, which no index helps with.
var mirrored = map[ast.BinaryOp]ast.BinaryOp{
	ast.Equal: ast.Equal, ast.Less: ast.Greater, ast.LessEqual: ast.GreaterEqual, ast.Greater: ast.Less,
	ast.GreaterEqual: ast.LessEqual,
}

func (f finder) byID(c *condition, ids ast.Expression, list bool) access {
	rows := 1.0
	if list {
		rows = 10 // a guess
	}
	return access{rows: rows, fulfills: c, seeks: true, single: !list, operator: func(step Step) Operator {
		return &NodesByID{Step: step, Slot: f.slot, Name: f.name, IDs: ids, List: list}
	}}
}

// isID tells whether an expression is id() of a slot.
func isID(e ast.Expression, slot int) bool {
	call, ok := e.(*ast.Call)
	return ok && strings.EqualFold(call.Function, "id") && len(call.Arguments) == 1 && isSlot(call.Arguments[0], slot)
}

func isSlot(e ast.Expression, slot int) bool {
	s, ok := e.(*Slot)
	return ok && s.Index == slot
}

// uses tells whether an expression may depend on a slot.
func uses(e ast.Expression, slot int) bool {
	found := false
	ast.Visit(e, func(e ast.Expression) bool {
		switch e := e.(type) {
		case *Slot:
			found = found || e.Index == slot
		case *Local, *Nested, *HasProperties:
			found = true // it is not looked into
		}
		return !found
	})
	return found
}

// find plans the nodes of a vertex.
func (m *matching) find(v *vertex) {
	a := m.access(v)
	rows := m.op.Rows() * a.rows
	m.op = expecting(a.operator(m.step(m.op)), rows)
	if a.fulfills != nil {
		a.fulfills.done = true
	}
	for _, c := range m.conditions {
		c.implied = c.implied || a.implies(c, v.slot)
	}
	m.solved[v.slot] = true
}
