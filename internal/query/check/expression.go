package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// optional checks an expression that may be nil.
func (c *checker) optional(e ast.Expression, at env) Type {
	if e == nil {
		return anything
	}
	return c.expression(e, at.value())
}

func (c *checker) all(expressions []ast.Expression, at env) Type {
	var t Type
	for i, e := range expressions {
		one := c.expression(e, at.value())
		if i == 0 {
			t = one
		} else {
			t = t.or(one)
		}
	}
	return t
}

// expression checks one, and returns what its value may be.
func (c *checker) expression(e ast.Expression, at env) Type {
	switch e := e.(type) {
	case *ast.Literal:
		return of(e.Value.Kind())
	case *ast.Variable:
		return c.variable(e, at)
	case *ast.Property:
		return c.property(e, at)
	case *ast.HasLabels:
		c.needs(e.Subject, at, entities, "labels and types are of a Node or Relationship")
		return of(value.Bool, value.Null)
	case *ast.ListLiteral:
		return c.list(e, at)
	case *ast.MapLiteral:
		c.all(e.Values, at)
		return of(value.Map)
	case *ast.MapProjection:
		return c.mapProjection(e, at)
	case *ast.Unary:
		return c.unary(e, at)
	case *ast.Binary:
		return c.binary(e, at)
	case *ast.Index:
		return c.index(e, at)
	case *ast.Slice:
		c.optional(e.From, at)
		c.optional(e.To, at)
		return c.needs(e.Subject, at, KindsOf(value.List), "[from..to] takes a part of a List")
	case *ast.Call:
		return c.function(e, at)
	case *ast.CountStar:
		c.aggregate(e.Position, "count", at)
		return of(value.Int)
	case *ast.Case:
		return c.choice(e, at)
	}
	return c.scoped(e, at)
}

// needs checks an operand that has to be of some kinds.
func (c *checker) needs(e ast.Expression, at env, kinds Kinds, why string) Type {
	t := c.expression(e, at.value())
	if !t.may(kinds) {
		c.syntax("InvalidArgumentType", e.At(), "%s, this is a %s", why, t.kinds)
	}
	return t
}

func (c *checker) variable(v *ast.Variable, at env) Type {
	t, ok := at.lookup(v.Name)
	if !ok {
		c.undefined(v.Name, v.Position, at.scope)
		return anything
	}
	return t
}

// property of a path is a fault in the syntax, of another value in the type: so says the TCK.
func (c *checker) property(p *ast.Property, at env) Type {
	t := c.expression(p.Subject, at.value())
	kind := fault.TypeError
	if t.kinds&^null == KindsOf(value.Path) {
		kind = fault.SyntaxError
	}
	if !t.may(entities | temporals | KindsOf(value.Map, value.Point)) {
		c.fail(kind, "InvalidArgumentType", p.Position, "a %s has no properties", t.kinds)
	}
	return anything
}

func (c *checker) list(l *ast.ListLiteral, at env) Type {
	if len(l.Elements) == 0 {
		return of(value.List)
	}
	return listOf(c.all(l.Elements, at))
}

func (c *checker) mapProjection(m *ast.MapProjection, at env) Type {
	c.needs(m.Subject, at, entities|KindsOf(value.Map), "{.key} takes from a Map, Node or Relationship")
	for _, item := range m.Items {
		c.optional(item.Value, at)
	}
	return of(value.Map)
}

func (c *checker) index(i *ast.Index, at env) Type {
	subject, index := c.expression(i.Subject, at.value()), c.expression(i.Index, at.value())
	isList := subject.kinds&^null == KindsOf(value.List)
	switch {
	case !subject.may(entities | KindsOf(value.List, value.Map)):
		c.fail(fault.TypeError, "InvalidArgumentType", i.Position, "[…] takes an element of a List or Map, this is a %s", subject.kinds)
	case isList && !index.may(integer):
		c.fail(fault.TypeError, "InvalidArgumentType", i.Index.At(), "elements of a List are numbered by an Integer, this is a %s", index.kinds)
	}
	return subject.elements()
}

func (c *checker) choice(e *ast.Case, at env) Type {
	if e.Subject == nil {
		for _, when := range e.When {
			c.condition(when, at.deciding())
		}
	} else {
		c.expression(e.Subject, at.value())
		c.all(e.When, at)
	}
	t := c.all(e.Then, at)
	if e.Else == nil {
		return t.or(of(value.Null))
	}
	return t.or(c.expression(e.Else, at.value()))
}
