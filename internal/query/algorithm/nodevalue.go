package algorithm

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

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
