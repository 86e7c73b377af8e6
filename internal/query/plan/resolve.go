package plan

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// resolve gives the expression with slots for its variables, and with plans for the patterns and
// queries within it.
func (p *planner) resolve(e ast.Expression, s scope) ast.Expression {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.Variable:
		return p.variable(e, s)
	case *ast.ListComprehension:
		return p.comprehension(e, s)
	case *ast.Quantifier:
		return p.quantifier(e, s)
	case *ast.Reduce:
		return p.reduce(e, s)
	case *ast.Exists:
		return p.exists(e, s)
	case *ast.PatternExpression:
		return p.patternExpression(e, s)
	case *ast.PatternComprehension:
		return p.patternComprehension(e, s)
	case *ast.Call:
		if counted := p.sizeOfPattern(e, s); counted != nil {
			return counted
		}
	}
	return ast.Mapped(e, func(child ast.Expression) ast.Expression { return p.resolve(child, s) })
}

func (p *planner) resolveAll(list []ast.Expression, s scope) []ast.Expression {
	return ast.MappedAll(list, func(e ast.Expression) ast.Expression { return p.resolve(e, s) })
}

func (p *planner) variable(v *ast.Variable, s scope) ast.Expression {
	slot, ok := s[v.Name]
	if !ok {
		p.fail(fault.New(fault.SyntaxError, "UndefinedVariable", v.Position,
			"variable `%s` is not defined here: name it in a pattern, or pass it on by WITH", v.Name))
	}
	return &Slot{*v, slot}
}

func (p *planner) comprehension(e *ast.ListComprehension, s scope) ast.Expression {
	c, slot := *e, p.slot()
	inner := s.with(e.Variable, slot)
	c.List = p.resolve(e.List, s)
	c.Where, c.Result = p.resolve(e.Where, inner), p.resolve(e.Result, inner)
	return &Local{&c, []int{slot}}
}

func (p *planner) quantifier(e *ast.Quantifier, s scope) ast.Expression {
	c, slot := *e, p.slot()
	c.List = p.resolve(e.List, s)
	c.Where = p.resolve(e.Where, s.with(e.Variable, slot))
	return &Local{&c, []int{slot}}
}

func (p *planner) reduce(e *ast.Reduce, s scope) ast.Expression {
	c, accumulator, element := *e, p.slot(), p.slot()
	c.Initial, c.List = p.resolve(e.Initial, s), p.resolve(e.List, s)
	c.Result = p.resolve(e.Result, s.with(e.Accumulator, accumulator).with(e.Variable, element))
	return &Local{&c, []int{accumulator, element}}
}

func (p *planner) exists(e *ast.Exists, s scope) ast.Expression {
	use := ToTest
	if e.Count {
		use = ToCount
	}
	if e.Query != nil {
		root, columns := p.query(e.Query, s, p.argument())
		if e.Collect {
			nested := p.nested(e, ToList, root)
			nested.Result = &Slot{ast.Variable{Position: e.Position, Name: columns.names[0]}, columns.slots[0]}
			return nested
		}
		return p.nested(e, use, root)
	}
	root, _ := p.match(&ast.MatchClause{Position: e.Position, Patterns: e.Patterns, Where: e.Where}, s, p.argument())
	return p.nested(e, use, root)
}

func (p *planner) patternExpression(e *ast.PatternExpression, s scope) ast.Expression {
	if e.Pattern.Shortest != ast.AnyPath {
		return p.shortestExpression(e, s)
	}
	return p.nested(e, ToTest, p.pattern(e.Pattern, s))
}

// pattern plans the matches of one pattern.
func (p *planner) pattern(path ast.PathPattern, s scope) Operator {
	root, _ := p.match(&ast.MatchClause{Position: path.Position, Patterns: []ast.PathPattern{path}}, s, p.argument())
	return root
}

// shortestExpression is shortestPath(…), the path or null, or allShortestPaths(…), a list.
func (p *planner) shortestExpression(e *ast.PatternExpression, s scope) ast.Expression {
	path := e.Pattern
	if path.Variable == "" {
		path.Variable = unwritten + "path"
	}
	root, inner := p.match(&ast.MatchClause{Position: e.Position, Patterns: []ast.PathPattern{path}}, s, p.argument())
	use := ToFirst
	if path.Shortest == ast.AllShortest {
		use = ToList
	}
	nested := p.nested(e, use, root)
	nested.Result = p.resolve(&ast.Variable{Position: e.Position, Name: path.Variable}, inner)
	return nested
}

func (p *planner) patternComprehension(e *ast.PatternComprehension, s scope) ast.Expression {
	root, inner := p.match(&ast.MatchClause{Position: e.Position, Patterns: []ast.PathPattern{e.Pattern}, Where: e.Where},
		s, p.argument())
	nested := p.nested(e, ToList, root)
	nested.Result = p.resolve(e.Result, inner)
	return nested
}

// sizeOfPattern is size() of a pattern or of a pattern comprehension, which need only count.
func (p *planner) sizeOfPattern(e *ast.Call, s scope) ast.Expression {
	if !strings.EqualFold(e.Function, "size") || len(e.Arguments) != 1 {
		return nil
	}
	switch inner := e.Arguments[0].(type) {
	case *ast.PatternExpression:
		if inner.Pattern.Shortest == ast.AnyPath {
			return p.nested(inner, ToCount, p.pattern(inner.Pattern, s))
		}
	case *ast.PatternComprehension:
		root, _ := p.match(&ast.MatchClause{Position: e.Position, Patterns: []ast.PathPattern{inner.Pattern},
			Where: inner.Where}, s, p.argument())
		return p.nested(inner, ToCount, root)
	}
	return nil
}

func (p *planner) nested(e ast.Expression, use Use, root Operator) *Nested {
	weight := -1
	if use == ToCount {
		root, weight = p.byDegree(root, nil)
	}
	return &Nested{Expression: e, Use: use, Root: root, Weight: weight}
}
