package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// scalars are the kinds of single values that a property can have.
var scalars = all &^ (structure | null)

// storable refuses a value of a property that is certainly none: part of the graph, a map, or a
// list of these or of lists.
func (c *checker) storable(e ast.Expression, t Type) {
	element := t.elements()
	switch {
	case !t.may(scalars | KindsOf(value.List)):
		c.fail(fault.TypeError, "InvalidPropertyType", e.At(), "a property cannot be a %s", t.kinds)
	case t.kinds&^null == KindsOf(value.List) && !element.may(scalars):
		c.fail(fault.TypeError, "InvalidPropertyType", e.At(), "a property cannot be a List of a %s", element.kinds)
	}
}

// storableProperties checks those of a pattern that is created.
func (b bindings) storableProperties(p ast.PathPattern) {
	for _, n := range p.Nodes {
		b.storableMap(n.Properties)
	}
	for _, r := range p.Relationships {
		b.storableMap(r.Properties)
	}
}

func (b bindings) storableMap(e ast.Expression) {
	if m, ok := e.(*ast.MapLiteral); ok {
		for _, v := range m.Values {
			b.storable(v, b.place().expression(v))
		}
	}
}
