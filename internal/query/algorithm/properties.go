package algorithm

import (
	"context"
	"slices"
	"strings"

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

// functions are those that read projections.
//
//	MATCH (n:Person) RETURN n.name, gds.util.nodeProperty('friends', n, 'community')
func (p *projections) functions() []*procedure.Function {
	all := value.OfString("*")
	return []*procedure.Function{{
		Name: "gds.util.nodeProperty", Category: "Scalar",
		Description: "the value that a node of a projection has of a property (as Neo4j GDS has it)",
		Arguments: []procedure.Field{field("graphName", "STRING"), field("nodeId", "NODE | INTEGER"),
			field("propertyKey", "STRING"), {Name: "nodeLabel", Type: "STRING", Default: &all}},
		Returns: "ANY",
		Compute: func(g procedure.Graph, arguments []value.Value) (value.Value, error) {
			v, err := p.nodeValue(g, arguments)
			return v, failed(err)
		},
	}}
}

// nodeValue is gds.util.nodeProperty: null where an argument is null, and where the node has no value, or not the
// label. What a projection has beside the graph is its own; anything else is the graph's, as the statement sees it.
func (p *projections) nodeValue(g procedure.Graph, arguments []value.Value) (none value.Value, err error) {
	wrong := func(format string, with ...any) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.util.nodeProperty: "+format, with...)
	}
	label := "*"
	for i, name := range []string{"graphName", "nodeId", "propertyKey", "nodeLabel"}[:len(arguments)] {
		switch v := arguments[i]; {
		case v.IsNull():
			return none, nil
		case i == 1 && v.Kind() != value.Node && v.Kind() != value.Int:
			return none, wrong("%s: expected a node or its number, not %s", name, v.Text())
		case i != 1 && v.Kind() != value.String:
			return none, wrong("%s: expected a text, not %s", name, v.Text())
		case i == 3:
			label = v.Str()
		}
	}
	graph, property, number := arguments[0].Str(), arguments[2].Str(), nodeNumber{key: "nodeId"}
	if arguments[1].Kind() == value.Node {
		number.of = int64(arguments[1].ID())
	} else {
		number.of = arguments[1].Int()
	}
	var by store.Projection
	if label != "*" {
		by.Labels = []string{label}
	}
	of, err := p.narrowed(g.Name(), graph, store.Projection{})
	if err == nil {
		_, err = p.narrowed(g.Name(), graph, by) // has the projection the label?
	}
	if err == nil {
		err = of.Current(g.Name(), g.Numbers())
	}
	if err != nil {
		return none, err
	}
	added := slices.IndexFunc(of.Added, func(a store.AddedProperty) bool { return a.Name == property })
	key, known := g.Key(property)
	if !known && added < 0 {
		return none, wrong("propertyKey: no node of %s has a property %s", graph, property)
	}
	node := uint64(number.of)
	if is, err := within(g, of, node, of.Labels); err != nil || !is {
		if err == nil {
			err = number.unknown()
		}
		return none, err
	}
	if _, there := g.Label(label); label != "*" && !there && (of.Drawn == nil || of.Drawn.Labels == nil) {
		return none, wrong("nodeLabel: no node of %s has a label %s", graph, label)
	}
	if is, err := within(g, of, node, by.Labels); err != nil || !is {
		return none, err
	}
	if added < 0 {
		return g.NodeProperty(node, key)
	}
	if i, has := slices.BinarySearch(of.Added[added].Vertices, uint32(node)); has {
		return of.Added[added].Values[i], nil
	}
	return none, nil
}

// within tells whether a projection has a node, with one of the labels; none: with any.
func within(g procedure.Graph, of store.Projection, node uint64, labels []string) (bool, error) {
	if !g.NodeExists(node) {
		return false, nil
	}
	if of.Drawn != nil {
		place, has := slices.BinarySearch(of.Drawn.Vertices, uint32(node))
		if !has || of.Drawn.Labels != nil {
			return has && (len(labels) == 0 || slices.ContainsFunc(labels, func(label string) bool {
				return slices.Contains(strings.Split(of.Drawn.Labels[place], labelSeparator), label)
			})), nil
		}
	}
	for _, name := range labels {
		if label, known := g.Label(name); known {
			if has, err := g.HasLabel(node, label); err != nil || has {
				return has, err
			}
		}
	}
	return len(labels) == 0, nil
}
