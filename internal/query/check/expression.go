package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// optional checks an expression that may be nil.
func (at env) optional(e ast.Expression) Type {
	if e == nil {
		return anything
	}
	return at.value().expression(e)
}

func (at env) all(expressions []ast.Expression) Type {
	var t Type
	for i, e := range expressions {
		one := at.value().expression(e)
		if i == 0 {
			t = one
		} else {
			t = t.or(one)
		}
	}
	return t
}

// expression checks one, and returns what its value may be.
func (at env) expression(e ast.Expression) Type {
	switch e := e.(type) {
	case *ast.Literal:
		return of(e.Value.Kind())
	case *ast.Variable:
		return at.variable(e)
	case *ast.Property:
		return at.property(e)
	case *ast.HasLabels:
		at.needs(e.Subject, entities, "labels and types are of a Node or Relationship")
		return of(value.Bool, value.Null)
	case *ast.ListLiteral:
		return at.list(e)
	case *ast.MapLiteral:
		at.all(e.Values)
		return of(value.Map)
	case *ast.MapProjection:
		return at.mapProjection(e)
	case *ast.Unary:
		return at.unary(e)
	case *ast.Binary:
		return at.binary(e)
	case *ast.Index:
		return at.index(e)
	case *ast.Slice:
		at.optional(e.From)
		at.optional(e.To)
		return at.needs(e.Subject, KindsOf(value.List), "[from..to] takes a part of a List")
	case *ast.Call:
		return at.function(e)
	case *ast.CountStar:
		at.aggregate(e.Position, "count")
		return of(value.Int)
	case *ast.Case:
		return at.choice(e)
	}
	return at.scoped(e)
}

// needs checks an operand that has to be of some kinds.
func (at env) needs(e ast.Expression, kinds Kinds, why string) Type {
	t := at.value().expression(e)
	if !t.may(kinds) {
		at.syntax("InvalidArgumentType", e.At(), "%s, this is a %s", why, t.kinds)
	}
	return t
}

func (at env) variable(v *ast.Variable) Type {
	t, ok := at.lookup(v.Name)
	if !ok {
		at.undefined(v.Name, v.Position)
		return anything
	}
	return t
}

// property of a path is a fault in the syntax, of another value in the type: so says the TCK.
func (at env) property(p *ast.Property) Type {
	t := at.value().expression(p.Subject)
	kind := fault.TypeError
	if t.kinds&^null == KindsOf(value.Path) {
		kind = fault.SyntaxError
	}
	if !t.may(entities | temporals | KindsOf(value.Map, value.Point)) {
		at.fail(kind, "InvalidArgumentType", p.Position, "a %s has no properties", t.kinds)
	}
	return anything
}

func (at env) list(l *ast.ListLiteral) Type {
	if len(l.Elements) == 0 {
		return of(value.List)
	}
	return listOf(at.all(l.Elements))
}

func (at env) mapProjection(m *ast.MapProjection) Type {
	at.needs(m.Subject, entities|KindsOf(value.Map), "{.key} takes from a Map, Node or Relationship")
	for _, item := range m.Items {
		at.optional(item.Value)
	}
	return of(value.Map)
}

func (at env) index(i *ast.Index) Type {
	subject, index := at.value().expression(i.Subject), at.value().expression(i.Index)
	isList := subject.kinds&^null == KindsOf(value.List)
	switch {
	case !subject.may(entities | KindsOf(value.List, value.Map)):
		at.fail(fault.TypeError, "InvalidArgumentType", i.Position, "[…] takes an element of a List or Map, this is a %s",
			subject.kinds)
	case isList && !index.may(integer):
		at.fail(fault.TypeError, "InvalidArgumentType", i.Index.At(),
			"elements of a List are numbered by an Integer, this is a %s", index.kinds)
	}
	return subject.elements()
}

func (at env) choice(e *ast.Case) Type {
	if e.Subject == nil {
		for _, when := range e.When {
			at.deciding().decides(when)
		}
	} else {
		at.value().expression(e.Subject)
		at.all(e.When)
	}
	t := at.all(e.Then)
	if e.Else == nil {
		return t.or(of(value.Null))
	}
	return t.or(at.value().expression(e.Else))
}
