package plan

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// projection is a WITH or RETURN on the way to its plan.
type projection struct {
	*chain
	*ast.ProjectClause
	items   []ast.Item
	columns table
	inner   scope // what ORDER BY and WHERE can name
}

// project plans WITH and RETURN.
func (c *chain) project(clause *ast.ProjectClause) {
	p := &projection{chain: c, ProjectClause: clause, items: c.starred(clause)}
	if p.aggregates() {
		p.aggregate()
	} else {
		p.compute()
	}
	p.sortAndLimit()
	c.scope = p.columns.scope()
	if clause.Return {
		c.out = p.columns
	}
}

func (t table) scope() scope {
	s := scope{}
	for i, name := range t.names {
		s[name] = t.slots[i]
	}
	return s
}

// starred are the items, with the variables that "*" stands for.
func (c *chain) starred(clause *ast.ProjectClause) []ast.Item {
	var items []ast.Item
	if clause.Star {
		for _, name := range c.scope.names() {
			items = append(items, ast.Item{Expression: &ast.Variable{Position: clause.Position, Name: name}, Alias: name,
				Aliased: true})
		}
	}
	return append(items, clause.Items...)
}

func (p *projection) aggregates() bool {
	return slices.ContainsFunc(p.items, func(i ast.Item) bool { return p.aggregated(i.Expression) })
}

// compute plans a projection without aggregates. Columns that are variables stay where they are.
func (p *projection) compute() {
	var items []Assignment
	for _, item := range p.items {
		slot, isVariable := p.direct(item.Expression)
		if !isVariable {
			slot = p.slot()
			items = append(items, Assignment{slot, item.Alias, p.resolve(item.Expression, p.scope)})
		}
		p.columns.add(item.Alias, slot)
	}
	p.assign(items)
	p.inner = p.columns.scope().over(p.scope)
	if p.Distinct {
		p.distinct()
	}
}

func (p *projection) direct(e ast.Expression) (int, bool) {
	v, ok := e.(*ast.Variable)
	if !ok {
		return 0, false
	}
	slot, ok := p.scope[v.Name]
	return slot, ok
}

func (p *projection) assign(items []Assignment) {
	if len(items) > 0 {
		p.op = &Project{Step: p.step(p.op), Items: items}
	}
}

func (p *projection) distinct() {
	p.op = &Distinct{Step: p.step(p.op), Slots: p.columns.slots, Names: p.columns.names}
}

// sortAndLimit plans what follows the columns.
func (p *projection) sortAndLimit() {
	where := p.resolve(p.Where, p.inner)
	if len(p.OrderBy) > 0 {
		p.sort(where)
	}
	if p.Skip != nil {
		p.op = &Skip{p.step(p.op), p.resolve(p.Skip, nil)}
	}
	if p.Limit != nil {
		p.limit()
	}
	if where != nil {
		p.op = expecting(&Filter{p.step(p.op), where}, p.op.Rows()/2)
	}
}

func (p *projection) sort(where ast.Expression) {
	op := &Sort{Live: p.live(where)}
	for _, key := range p.OrderBy {
		op.Keys = append(op.Keys, SortKey{p.resolve(key.Expression, p.inner), key.Descending})
	}
	if p.Limit != nil {
		op.Limit, op.Skip = p.resolve(p.Limit, nil), p.resolve(p.Skip, nil)
	}
	op.Step = p.step(p.op)
	p.op = op
}

// live are the slots that are used after sorting: the columns, and what WHERE asks of what was
// before.
func (p *projection) live(where ast.Expression) []int {
	slots := slices.Clone(p.columns.slots)
	for name := range ast.Mentioned(p.Where) {
		if slot, ok := p.inner[name]; ok && where != nil {
			slots = append(slots, slot)
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

func (p *projection) limit() {
	op := &Limit{Step: p.step(p.op), Count: p.resolve(p.Limit, nil), Exhaust: p.wrote}
	rows := p.op.Rows()
	if literal, ok := op.Count.(*ast.Literal); ok && strings.HasPrefix(literal.Value.Kind().String(), "Int") {
		rows = min(rows, float64(literal.Value.Int()))
	}
	p.op = expecting(op, rows)
}
