package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/store"
)

// byIndex is access by an index on a property that is compared with a value.
func (m *matching) byIndex(v *vertex, c *condition, side ast.Expression, op ast.BinaryOp, other ast.Expression) (access, bool) {
	property, ok := side.(*ast.Property)
	if !ok || !isSlot(property.Subject, v.slot) {
		return access{}, false
	}
	index, ok := m.index(v, property.Key)
	if !ok {
		return access{}, false
	}
	if op == ast.Equal || op == ast.In {
		return m.seek(v, c, index, other, op == ast.In), true
	}
	end := &Limiting{other, op != ast.Less && op != ast.Greater}
	o := &NodeByRange{Slot: v.slot, Name: v.name, Index: index}
	switch op {
	case ast.Greater, ast.GreaterEqual, ast.StartsWith:
		o.From = end
	case ast.Less, ast.LessEqual:
		o.To = end
	default:
		return access{}, false
	}
	m.otherEnd(v, property.Key, o)
	return access{rows: m.indexedRows(index) * rangePart, operator: func(input Operator) Operator {
		o.Step = m.step(input)
		return o
	}}, true
}

// The parts of indexed nodes that are thought to be found.
const seekPart, rangePart = 0.001, 0.1

func (m *matching) seek(v *vertex, c *condition, index store.Index, values ast.Expression, list bool) access {
	rows := max(1, m.indexedRows(index)*seekPart)
	if m.unique(index) {
		rows = 1
	}
	return access{rows: rows, fulfils: c, seeks: true, single: m.unique(index) && !list, operator: func(input Operator) Operator {
		return &NodeBySeek{Step: m.step(input), Slot: v.slot, Name: v.name, Index: index, Value: values, List: list}
	}}
}

// index is one on the property of nodes with a label that the pattern asks for, if there is one a unique one.
func (m *matching) index(v *vertex, key string) (found store.Index, ok bool) {
	for _, i := range m.graph.Indexes() {
		if i.OnRelationship || i.Key != key || i.Label != "" && !m.asks(v, i.Label) {
			continue
		}
		if m.unique(i) {
			return i, true
		}
		if !ok {
			found, ok = i, true
		}
	}
	return found, ok
}

// unique tells whether no two nodes have the same value in an index: it is of ids, or a constraint says so.
func (m *matching) unique(i store.Index) bool {
	return i.Label == "" || slices.ContainsFunc(m.graph.Constraints(), func(c store.Constraint) bool {
		return c.Kind != store.Exists && !c.OnRelationship && c.Label == i.Label && len(c.Keys) == 1 && c.Keys[0] == i.Key
	})
}

// asks tells whether a vertex has to have a label.
func (m *matching) asks(v *vertex, label string) bool {
	return slices.ContainsFunc(m.conditions, func(c *condition) bool {
		has, ok := c.expression.(*ast.HasLabels)
		return ok && isSlot(has.Subject, v.slot) && has.Labels[0] == label
	})
}

func (m *matching) indexedRows(i store.Index) float64 {
	if i.Label == "" {
		return float64(m.graph.NodeCount())
	}
	return m.labelled(i.Label)
}

// otherEnd adds the other end of a range, if there is a condition that says it.
func (m *matching) otherEnd(v *vertex, key string, o *NodeByRange) {
	for _, c := range m.conditions {
		e, ok := c.expression.(*ast.Binary)
		if !ok || !m.ready(c, v.slot) {
			continue
		}
		property, ok := e.Left.(*ast.Property)
		if !ok || property.Key != key || !isSlot(property.Subject, v.slot) || uses(e.Right, v.slot) {
			continue
		}
		switch {
		case o.From == nil && (e.Op == ast.Greater || e.Op == ast.GreaterEqual):
			o.From = &Limiting{e.Right, e.Op == ast.GreaterEqual}
		case o.To == nil && (e.Op == ast.Less || e.Op == ast.LessEqual):
			o.To = &Limiting{e.Right, e.Op == ast.LessEqual}
		}
	}
}
