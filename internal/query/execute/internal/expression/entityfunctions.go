package expression

import (
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
)

// entityFunction is a function of a node, relationship or path, which is not null.
type entityFunction func(f *frame.Frame, v value.Value) (value.Value, error)

var (
	node         = function.KindsOf(value.Node)
	relationship = function.KindsOf(value.Relationship)
	graphEntity  = function.KindsOf(value.Node, value.Relationship)
	path         = function.KindsOf(value.Path)
	withEntries  = function.KindsOf(value.Node, value.Relationship, value.Map)
)

var entityFunctions = map[string]entityFunction{}

func init() {
	register("id", graphEntity, func(_ *frame.Frame, v value.Value) (value.Value,
		error) {
		return value.OfInt(int64(v.ID())), nil
	})
	register("elementId", graphEntity, func(_ *frame.Frame, v value.Value) (value.Value, error) {
		return value.OfString(strconv.FormatUint(v.ID(), 10)), nil
	})
	register("gds.util.asNode", function.KindsOf(value.Int), numbered)
	register("gds.util.asNodes", function.KindsOf(value.List), allNumbered)
	register("labels", node, labels)
	register("type", relationship, typeOf)
	register("properties", withEntries, properties)
	register("keys", withEntries, keys)
	register("startNode", relationship, startNode)
	register("endNode", relationship, endNode)
	register("nodes", path, func(_ *frame.Frame, v value.Value) (value.Value, error) {
		return value.OfList(v.Path().Nodes),
			nil
	})
	register("relationships", path, func(_ *frame.Frame, v value.Value) (value.Value, error) {
		return value.OfList(v.Path().Relationships), nil
	})
	register("length", path, func(_ *frame.Frame, v value.Value) (value.Value, error) {
		return value.OfInt(int64(len(v.Path().Relationships))), nil
	})
	function.Register(&function.Function{Name: "exists", Min: 1, Max: 1})
	for _, name := range []string{"count", "sum", "avg", "min", "max", "collect", "stDev", "stDevP"} {
		function.Register(&function.Function{Name: name, Min: 1, Max: 1, Aggregate: true})
	}
	for _, name := range []string{"percentileCont", "percentileDisc"} {
		function.Register(&function.Function{Name: name, Min: 2, Max: 2, Aggregate: true})
	}
}

// register makes a function known, also to package check.
func register(name string, takes function.Kinds, compute entityFunction) {
	checked := func(f *frame.Frame, v value.Value) (value.Value, error) {
		if !takes.Has(v.Kind()) {
			return v, fault.Met(fault.TypeError, "InvalidArgumentValue", "%s() takes %s, not the %s %s", name, takes, v.Kind(),
				v.Text())
		}
		return compute(f, v)
	}
	entityFunctions[strings.ToLower(name)] = checked
	function.Register(&function.Function{Name: name, Min: 1, Max: 1, Takes: []function.Kinds{takes}})
}

// numbered is the node of a number, as procedures give it out that are called as in Neo4j GDS; null, where there is
// none.
func numbered(f *frame.Frame, v value.Value) (value.Value, error) {
	if id := v.Int(); id >= 0 && f.Graph.NodeExists(uint64(id)) {
		return value.OfNodeID(uint64(id)), nil
	}
	return value.Value{}, nil
}

// allNumbered are the nodes of a list of numbers, without those that there are not.
func allNumbered(f *frame.Frame, v value.Value) (value.Value, error) {
	nodes := []value.Value{}
	for _, number := range v.List() {
		if number.Kind() != value.Int {
			return v, fault.Met(fault.TypeError, "InvalidArgumentValue", "gds.util.asNodes() takes numbers of nodes, not the %s %s",
				number.Kind(), number.Text())
		}
		node, err := numbered(f, number)
		if err != nil {
			return v, err
		}
		if !node.IsNull() {
			nodes = append(nodes, node)
		}
	}
	return value.OfList(nodes), nil
}

func labels(f *frame.Frame, v value.Value) (value.Value, error) {
	names, err := entity.Labels(f, v.ID())
	return texts(names), err
}

func texts(names []string) value.Value {
	all := make([]value.Value, len(names))
	for i, name := range names {
		all[i] = value.OfString(name)
	}
	return value.OfList(all)
}

func typeOf(f *frame.Frame, v value.Value) (value.Value, error) {
	_, _, typ, err := f.Ends(v.ID())
	if err != nil {
		return v, err
	}
	return value.OfString(f.Graph.TypeName(typ)), nil
}

func properties(f *frame.Frame, v value.Value) (value.Value, error) {
	entries, err := entity.Entries(f, v)
	return value.OfEntries(entries), err
}

func keys(f *frame.Frame, v value.Value) (value.Value, error) {
	entries, err := entity.Entries(f, v)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Key
	}
	return texts(names), err
}

func startNode(f *frame.Frame, v value.Value) (value.Value, error) {
	start, _, _, err := f.Ends(v.ID())
	return value.OfNodeID(start), err
}

func endNode(f *frame.Frame, v value.Value) (value.Value, error) {
	_, end, _, err := f.Ends(v.ID())
	return value.OfNodeID(end), err
}
