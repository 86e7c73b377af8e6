package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

var aggregateFunctions = []string{
	"count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp", "percentilecont", "percentiledisc",
}

// aggregated tells whether an expression has an aggregate function within.
func (p *planner) aggregated(e ast.Expression) bool {
	found := false
	ast.Visit(e, func(e ast.Expression) bool {
		found = found || p.isAggregate(e)
		return !found
	})
	return found
}

func (p *planner) isAggregate(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.CountStar:
		return true
	case *ast.Call:
		_, gathers := p.procedures.Gathers(e.Function)
		return gathers || slices.Contains(aggregateFunctions, strings.ToLower(e.Function))
	}
	return false
}

// aggregate plans a projection with aggregates: items without are what rows are grouped by; the
// others are computed from the values of the aggregate functions, and of the groups.
func (p *projection) aggregate() {
	g := &grouping{projection: p, known: map[string]*Slot{}, op: &Aggregate{Weight: -1}}
	slots := make([]*Slot, len(p.items))
	for i, item := range p.items {
		if !p.aggregated(item.Expression) {
			slots[i] = g.key(item)
		}
	}
	var after []Assignment
	for i, item := range p.items {
		if slots[i] == nil {
			slots[i] = g.value(item, &after)
		}
		p.columns.add(item.Alias, slots[i].Index)
	}
	p.orderByGroups(g, &after)
	g.finish()
	p.assign(after)
	if p.Distinct {
		p.distinct()
	}
}

// orderByGroups replaces what ORDER BY and WHERE have in common with the items.
func (p *projection) orderByGroups(g *grouping, after *[]Assignment) {
	p.inner = p.columns.scope()
	clause := *p.ProjectClause
	clause.OrderBy = slices.Clone(clause.OrderBy)
	for i, key := range clause.OrderBy {
		clause.OrderBy[i].Expression = g.replaced(key.Expression)
	}
	p.ProjectClause = &clause
}

// grouping is an Aggregate on the way. What is known, by its text, is the slots of keys and of
// aggregate functions.
type grouping struct {
	*projection
	known map[string]*Slot
	op    *Aggregate
}

func (g *grouping) key(item ast.Item) *Slot {
	index, ok := g.direct(item.Expression)
	if !ok {
		index = g.slot()
	}
	slot := &Slot{ast.Variable{Position: item.Expression.At(), Name: item.Alias}, index}
	g.op.Keys = append(g.op.Keys, Assignment{index, item.Alias, g.resolve(item.Expression, g.scope)})
	g.known[Text(item.Expression)] = slot
	return slot
}

// value is the slot of an item with aggregates within.
func (g *grouping) value(item ast.Item, after *[]Assignment) *Slot {
	replaced := g.replaced(item.Expression)
	if slot, ok := replaced.(*Slot); ok {
		return slot
	}
	slot := &Slot{ast.Variable{Position: item.Expression.At(), Name: item.Alias}, g.slot()}
	*after = append(*after, Assignment{slot.Index, item.Alias, g.resolve(replaced, g.scope)})
	g.known[Text(item.Expression)] = slot
	return slot
}

// replaced is the expression with slots for keys and for aggregate functions.
func (g *grouping) replaced(e ast.Expression) ast.Expression {
	if slot, ok := g.known[Text(e)]; ok {
		return slot
	}
	if g.isAggregate(e) {
		return g.function(e)
	}
	return ast.Mapped(e, g.replaced)
}

func (g *grouping) function(e ast.Expression) *Slot {
	text := Text(e)
	a := Aggregation{Slot: g.slot(), Function: "count(*)", Text: text}
	if call, ok := e.(*ast.Call); ok {
		a.Function, a.Distinct = strings.ToLower(call.Function), call.Distinct
		a.Arguments = g.resolveAll(call.Arguments, g.scope)
		a.Procedure, _ = g.procedures.Gathers(call.Function)
	}
	g.op.Values = append(g.op.Values, a)
	slot := &Slot{ast.Variable{Position: e.At(), Name: text}, a.Slot}
	g.known[text] = slot
	return slot
}

// finish puts the Aggregate above the rows, which are only counted where that is all it does.
func (g *grouping) finish() {
	g.countRows()
	if g.onlyCounts() {
		g.chain.op, g.op.Weight = g.byDegree(g.chain.op, g.usesSlot)
	}
	g.op.Step = g.step(g.chain.op)
	rows := 1.0
	if len(g.op.Keys) > 0 {
		rows = math.Sqrt(g.chain.op.Rows())
	}
	g.chain.op = expecting(g.op, rows)
}

// countRows makes count(x) of what an Expand has just found, which is never null, count(*).
func (g *grouping) countRows() {
	e, ok := g.chain.op.(*Expand)
	for i := range g.op.Values {
		a := &g.op.Values[i]
		if !ok || a.Function != "count" || a.Distinct {
			continue
		}
		if slot, is := a.Arguments[0].(*Slot); is && (slot.Index == e.To || slot.Index == e.Relationship ||
			slot.Index == e.From) {
			a.Function, a.Arguments = "count(*)", nil
		}
	}
}

func (g *grouping) onlyCounts() bool {
	return !slices.ContainsFunc(g.op.Values, func(a Aggregation) bool { return a.Function != "count(*)" })
}

func (g *grouping) usesSlot(slot int) bool {
	return slices.ContainsFunc(g.op.Keys, func(k Assignment) bool { return uses(k.Expression, slot) })
}

// byDegree turns an Expand whose rows are only counted into a Degree, so that what it leads to is
// not visited: count(*) of paths of k relationships walks k-1. used tells of slots that are
// needed above. It gives the slot of the number of rows; < 0: all rows are still given.
func (p *planner) byDegree(op Operator, used func(slot int) bool) (Operator, int) {
	e, ok := op.(*Expand)
	if !ok || e.Into || used != nil && (used(e.To) || used(e.Relationship)) {
		return op, -1
	}
	for _, t := range e.Unlike {
		if t.List {
			return op, -1
		}
	}
	d := &Degree{Step: p.step(e.Input), From: e.From, Weight: p.slot(), Direction: e.Direction, Types: e.Types,
		Unlike: e.Unlike, Text: e.Text}
	return d, d.Weight
}
