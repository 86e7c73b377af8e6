package plan

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/store"
)

// byIndex is access by an index on a property that is compared with a value.
func (f finder) byIndex(c *condition, side ast.Expression, op ast.BinaryOp, other ast.Expression) (access, bool) {
	property, ok := side.(*ast.Property)
	if !ok || !isSlot(property.Subject, f.slot) {
		return access{}, false
	}
	index, ok := f.index(property.Key)
	if !ok {
		return access{}, false
	}
	if op == ast.Equal || op == ast.In {
		return f.seek(c, index, other, op == ast.In), true
	}
	end := &Limiting{other, op != ast.Less && op != ast.Greater}
	o := &NodeByRange{Slot: f.slot, Name: f.name, Index: index}
	switch op {
	case ast.Greater, ast.GreaterEqual, ast.StartsWith:
		o.From = end
	case ast.Less, ast.LessEqual:
		o.To = end
	default:
		return access{}, false
	}
	f.otherEnd(property.Key, o)
	o.Same = o.From.same() && o.To.same()
	return access{rows: indexedRows(f.graph, index) * rangePart, label: index.Label, operator: func(step Step) Operator {
		o.Step = step
		return o
	}}, true
}

// same tells whether an end, if there is one, is the same for each row.
func (l *Limiting) same() bool {
	if l == nil {
		return true
	}
	slots, known := slotsIn(l.Value)
	ast.Visit(l.Value, func(e ast.Expression) bool {
		if call, ok := e.(*ast.Call); ok {
			f, found := function.Lookup(call.Function)
			known = known && found && !f.Volatile && !strings.HasSuffix(strings.ToLower(f.Name), ".realtime")
		}
		return known
	})
	return known && len(slots) == 0
}

func (f finder) seek(c *condition, index store.Index, values ast.Expression, list bool) access {
	rows := max(1, indexedRows(f.graph, index)*seekPart)
	if unique(f.graph, index) {
		rows = 1
	}
	return access{rows: rows, fulfills: c, seeks: true, single: unique(f.graph, index) && !list, label: index.Label,
		operator: func(step Step) Operator {
			return &NodeBySeek{Step: step, Slot: f.slot, Name: f.name, Index: index, Value: values, List: list}
		}}
}

// index is one on the property of nodes with a label that the pattern asks for, if there is one a unique one.
func (f finder) index(key string) (found store.Index, ok bool) {
	for _, i := range f.graph.Indexes() {
		if i.OnRelationship || i.Key != key || i.Label != "" && !f.asks(i.Label) {
			continue
		}
		if unique(f.graph, i) {
			return i, true
		}
		if !ok {
			found, ok = i, true
		}
	}
	return found, ok
}

// asks tells whether a vertex has to have a label.
func (f finder) asks(label string) bool {
	return slices.ContainsFunc(f.conditions, func(c *condition) bool {
		return requiresLabel(c.expression, f.slot, label)
	})
}

// requiresLabel tells whether a condition asks for a label of the node in a slot.
func requiresLabel(e ast.Expression, slot int, label string) bool {
	has, ok := e.(*ast.HasLabels)
	return ok && isSlot(has.Subject, slot) && has.Labels[0] == label
}

// otherEnd adds the other end of a range, if there is a condition that says it.
func (f finder) otherEnd(key string, o *NodeByRange) {
	for _, c := range f.conditions {
		e, ok := c.expression.(*ast.Binary)
		if !ok || !c.ready(f.solved, f.slot) {
			continue
		}
		property, ok := e.Left.(*ast.Property)
		if !ok || property.Key != key || !isSlot(property.Subject, f.slot) || uses(e.Right, f.slot) {
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
