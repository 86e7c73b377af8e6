package algorithm

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// Reader reads what a part of a graph has.
type Reader interface {
	// Nodes are those of a part.
	Nodes(ctx context.Context, graph string, of store.Projection, yield func(node uint64) error) error
	// NodeValues are those of a property, of each node of a part.
	NodeValues(ctx context.Context, graph string, of store.Projection, property string,
		yield func(node uint64, v value.Value) error) error
	// Relationships are those of a part, each with its value of a property; "": of none.
	Relationships(ctx context.Context, graph string, of store.Projection, property string,
		yield func(from, to uint64, typ string, v value.Value) error) error
}

// readers are procedures that read what a projection has.
func (p *projections) readers() []*procedure.Procedure {
	name, all, none := field("graphName", "STRING"), value.OfString("*"), value.OfEntries(nil)
	only := func(what string) procedure.Field { return procedure.Field{Name: what, Type: "ANY", Default: &all} }
	configuration := procedure.Field{Name: "configuration", Type: "MAP", Default: &none}
	nullable := func(name, kind string) procedure.Field {
		return procedure.Field{Name: name, Type: kind, Nullable: true}
	}
	ends := []procedure.Field{field("sourceNodeId", "INTEGER"), field("targetNodeId", "INTEGER"),
		field("relationshipType", "STRING")}
	return []*procedure.Procedure{
		{
			Name: "gds.graph.nodeProperty.stream", Description: "a property of the nodes of a projection", Folds: true,
			Arguments: []procedure.Field{name, field("nodeProperty", "STRING"), only("nodeLabels"), configuration},
			Columns:   []procedure.Field{field("nodeId", "INTEGER"), nullable("propertyValue", "ANY")}, Call: p.nodeProperty,
		},
		{
			Name: "gds.graph.nodeProperties.stream", Description: "properties of the nodes of a projection", Folds: true,
			Arguments: []procedure.Field{name, field("nodeProperties", "ANY"), only("nodeLabels"), configuration},
			Columns: []procedure.Field{field("nodeId", "INTEGER"), field("nodeProperty", "STRING"),
				nullable("propertyValue", "ANY")},
			Call: p.nodeProperties,
		},
		{
			Name: "gds.graph.relationships.stream", Description: "the relationships of a projection", Folds: true,
			Arguments: []procedure.Field{name, only("relationshipTypes"), configuration}, Columns: ends, Call: p.relationships,
		},
		{
			Name: "gds.graph.relationshipProperty.stream", Description: "a property of the relationships of a projection",
			Folds:     true,
			Arguments: []procedure.Field{name, field("relationshipProperty", "STRING"), only("relationshipTypes"), configuration},
			Columns:   append(ends[:3:3], nullable("propertyValue", "ANY")), Call: p.relationshipProperty,
		},
		{
			Name:        "gds.graph.relationshipProperties.stream",
			Description: "properties of the relationships of a projection", Folds: true,
			Arguments: []procedure.Field{name, field("relationshipProperties", "ANY"), only("relationshipTypes"), configuration},
			Columns:   append(ends[:3:3], field("relationshipProperty", "STRING"), nullable("propertyValue", "ANY")),
			Call:      p.relationshipProperties,
		},
	}
}

// part is the part of a projection that has some labels or types.
func (p *projections) part(g procedure.Graph, name, labels, types value.Value) (of store.Projection, err error) {
	var by store.Projection
	if by.Labels, err = NamesOf(labels); err == nil {
		by.Types, err = NamesOf(types)
	}
	if err != nil {
		return of, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s", err)
	}
	return p.narrowed(g.Name(), name.Str(), by)
}

var everything = value.OfString("*")

func (p *projections) nodeProperty(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	return p.eachNodeProperty(ctx, g, arguments, func(node, _, v value.Value) error {
		return yield([]value.Value{node, v})
	})
}

func (p *projections) nodeProperties(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	return p.eachNodeProperty(ctx, g, arguments, func(node, name, v value.Value) error {
		return yield([]value.Value{node, name, v})
	})
}

func (p *projections) eachNodeProperty(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func(node, name, v value.Value) error) error {
	of, err := p.part(g, arguments[0], arguments[2], everything)
	if err != nil {
		return err
	}
	names, err := NamesOf(arguments[1])
	for _, name := range names {
		if err != nil {
			break
		}
		err = p.runner.NodeValues(ctx, g.Name(), of, name, func(node uint64, v value.Value) error {
			return yield(value.OfInt(int64(node)), value.OfString(name), v)
		})
	}
	return failed(err)
}

func (p *projections) relationships(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	return p.eachRelationship(ctx, g, arguments[0], value.OfString(""), arguments[1],
		func(ends []value.Value, _, _ value.Value) error { return yield(ends) })
}

func (p *projections) relationshipProperty(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	return p.eachRelationship(ctx, g, arguments[0], arguments[1], arguments[2],
		func(ends []value.Value, _, v value.Value) error { return yield(append(ends, v)) })
}

func (p *projections) relationshipProperties(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	return p.eachRelationship(ctx, g, arguments[0], arguments[1], arguments[2],
		func(ends []value.Value, name, v value.Value) error { return yield(append(ends, name, v)) })
}

func (p *projections) eachRelationship(ctx context.Context, g procedure.Graph, graph, properties, types value.Value,
	yield func(ends []value.Value, name, v value.Value) error) error {
	of, err := p.part(g, graph, everything, types)
	if err != nil {
		return err
	}
	names, err := NamesOf(properties)
	for _, name := range names {
		if err != nil {
			break
		}
		err = p.runner.Relationships(ctx, g.Name(), of, name, func(from, to uint64, typ string, v value.Value) error {
			ends := []value.Value{value.OfInt(int64(from)), value.OfInt(int64(to)), value.OfString(typ)}
			return yield(ends, value.OfString(name), v)
		})
	}
	return failed(err)
}
