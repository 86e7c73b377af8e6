package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// projection is a WITH or RETURN that is checked.
type projection struct {
	*checker
	*ast.ProjectClause
	before, after *scope
	columns       []column
	narrow        bool // what was known before is known no more: DISTINCT, or rows are aggregated
}

// project checks WITH and RETURN. It returns what can be named after it, and the columns.
func (c *checker) project(clause *ast.ProjectClause, s *scope) (*scope, []column) {
	p := &projection{checker: c, ProjectClause: clause, before: s, after: s.after(), narrow: clause.Distinct}
	p.star()
	for _, item := range p.Items {
		p.item(item)
	}
	p.order()
	p.filter()
	p.names()
	c.bounds(clause.Skip, "SKIP")
	c.bounds(clause.Limit, "LIMIT")
	return p.after, p.columns
}

// star takes all variables on.
func (p *projection) star() {
	if !p.Star {
		return
	}
	names := p.before.names()
	if len(names) == 0 && p.Return {
		p.syntax("NoVariablesInScope", p.Position, "there are no variables that * could stand for")
	}
	for _, name := range names {
		t, _ := p.before.lookup(name)
		p.column(name, t)
	}
}

func (p *projection) column(name string, t Type) {
	p.columns = append(p.columns, column{name, t})
	p.after.set(name, t)
}

func (p *projection) item(item ast.Item) {
	at := p.in(p.before).place()
	at.aggregates = welcome
	t := at.expression(item.Expression)
	if p.aggregated(item.Expression) {
		p.narrow = true
		p.grouped(item.Expression, nil)
	}
	p.column(item.Alias, t)
}

// names checks those of the columns.
func (p *projection) names() {
	seen := map[string]bool{}
	for _, item := range p.Items {
		at := item.Expression.At()
		_, before := p.before.lookup(item.Alias)
		same := isVariable(item.Expression, item.Alias)
		switch {
		case !item.Aliased && !p.Return:
			p.syntax("NoExpressionAlias", at, "an expression in WITH needs a name: write AS")
		case seen[item.Alias] || p.Star && before && !same:
			p.syntax("ColumnNameConflict", at, "two columns have the name %s: give one another with AS", item.Alias)
		}
		seen[item.Alias] = true
	}
}

func isVariable(e ast.Expression, name string) bool {
	v, ok := e.(*ast.Variable)
	return ok && v.Name == name
}

// sight is what ORDER BY and WHERE can name: columns, and, unless rows were merged, what was before.
func (p *projection) sight() *scope {
	return &scope{parent: p.before, vars: p.after.vars}
}

func (p *projection) order() {
	at := p.in(p.sight()).place()
	if p.narrow && !p.Distinct || p.anyAggregate() {
		at.aggregates = welcome
	}
	for _, item := range p.OrderBy {
		at.expression(item.Expression)
		if p.narrow {
			p.visible(item.Expression, p.aggregated(item.Expression))
		}
	}
}

func (p *projection) anyAggregate() bool {
	for _, item := range p.Items {
		if p.aggregated(item.Expression) {
			return true
		}
	}
	return false
}

func (p *projection) filter() {
	if p.Where == nil {
		return
	}
	p.in(p.sight()).where(p.Where)
	if p.narrow {
		p.visible(p.Where, false)
	}
}

// bounds checks SKIP and LIMIT, which are the same for all rows.
func (c *checker) bounds(e ast.Expression, clause string) {
	if e == nil {
		return
	}
	if v := variableIn(e); v != nil {
		c.syntax("NonConstantExpression", e.At(), "%s is the same for all rows: it cannot depend on variable %s", clause,
			v.Name)
	}
	if l, ok := e.(*ast.Literal); ok && l.Value.Kind() == value.Int && l.Value.Int() < 0 {
		c.syntax("NegativeIntegerArgument", e.At(), "%s cannot be negative", clause)
	}
	if t := c.in(below(nil)).place().expression(e); !t.may(integer) {
		c.syntax("InvalidArgumentType", e.At(), "%s is an Integer, this is a %s", clause, t.kinds)
	}
}

// variableIn is a variable that an expression names; nil: none.
func variableIn(e ast.Expression) *ast.Variable {
	var found *ast.Variable
	ast.Visitor{Expression: func(e ast.Expression) bool {
		if v, ok := e.(*ast.Variable); ok && found == nil {
			found = v
		}
		return found == nil
	}}.One(e)
	return found
}
