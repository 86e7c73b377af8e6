package algorithm

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// tree is a result that is a tree: of each node on it where its parent is, itself at the root.
type tree struct {
	Result
	parents []int // -1: it is not on the tree
	weights []float64
}

var treeColumns = []procedure.Field{field("nodeId", "INTEGER"), field("parentId", "INTEGER"), field("weight", "FLOAT")}

var treeSums = []summed{
	{field("effectiveNodeCount", "INTEGER"), func(r Result, _ configured) value.Value {
		count := int64(0)
		for _, parent := range r.(tree).parents {
			if parent >= 0 {
				count++
			}
		}
		return value.OfInt(count)
	}},
	{field("totalWeight", "FLOAT"), func(r Result, _ configured) value.Value {
		sum := 0.0
		for i, parent := range r.(tree).parents {
			if parent >= 0 && parent != i {
				sum += r.(tree).weights[i]
			}
		}
		return value.OfFloat(sum)
	}},
}

// spanningForm is the tree of the source's component, with the source as its root.
var spanningForm = form{
	name: "spanningTree", options: []string{"sourcenode"}, columns: treeColumns, rows: treeRows,
	sums: treeSums, links: true,
	finish: func(ctx context.Context, result Result, request configured) (Result, error) {
		if err := undirected("spanningTree", result); err != nil {
			return nil, err
		}
		source, err := request.nodeOf("sourcenode", "sourceNode")
		if err != nil {
			return nil, err
		}
		root := -1
		for i := range result.Columns()[0].Vertices() {
			if result.Node(i) == source {
				root = i
			}
		}
		if root < 0 {
			return nil, nodeNumber{"sourceNode", int64(source)}.unknown()
		}
		up, err := result.Places(ctx, 0)
		return tree{Result: result, parents: up, weights: result.Columns()[1].Floats}.rooted(root), err
	},
}

// steinerForm is the tree that joins the source with the targets.
var steinerForm = form{
	name: "steinerTree", columns: treeColumns, rows: treeRows, links: true, requires: []string{"targets"},
	spelled: []spelling{{"targetNodes", "targets"}}, ignored: []string{"delta", "applyrerouting"},
	sums: treeSums,
	finish: func(ctx context.Context, result Result, _ configured) (Result, error) {
		if err := undirected("steinerTree", result); err != nil {
			return nil, err
		}
		up, err := result.Places(ctx, 0)
		for i, member := range result.Columns()[2].Bools {
			if member && up[i] < 0 {
				up[i] = i
			}
		}
		return tree{Result: result, parents: up, weights: result.Columns()[1].Floats}, err
	},
}

// undirected refuses a directed projection.
func undirected(name string, result Result) error {
	if !result.Directed() {
		return nil
	}
	return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
		"gds.%s joins nodes whatever the direction of relationships: project them with orientation UNDIRECTED, "+
			"or {undirectedRelationshipTypes: ['*']}",
		name)
}

// rooted is the tree of a forest that has a node, with this at its root: ways to the old root are turned around.
func (t tree) rooted(root int) tree {
	of := tree{Result: t.Result, parents: make([]int, len(t.parents)), weights: make([]float64, len(t.weights))}
	tops := t.tops()
	for i, parent := range t.parents {
		of.parents[i], of.weights[i] = -1, 0
		if tops[i] == tops[root] {
			of.parents[i], of.weights[i] = parent, t.weights[i]
		}
	}
	of.parents[root], of.weights[root] = root, 0
	for i := root; t.parents[i] >= 0; i = t.parents[i] {
		of.parents[t.parents[i]], of.weights[t.parents[i]] = i, t.weights[i]
	}
	return of
}

// tops are the roots of all nodes. Ways are shortened as they are gone.
func (t tree) tops() []int {
	tops := make([]int, len(t.parents))
	for i := range tops {
		tops[i] = -1
	}
	var way []int
	for i := range tops {
		at := i
		for way = way[:0]; tops[at] < 0; at = t.parents[at] {
			if t.parents[at] < 0 {
				tops[at] = at
				break
			}
			way = append(way, at)
		}
		for _, below := range way {
			tops[below] = tops[at]
		}
	}
	return tops
}

func treeRows(_ context.Context, _ procedure.Graph, result Result, _ configured,
	yield func([]value.Value) error) error {
	t := result.(tree)
	for i, parent := range t.parents {
		if parent >= 0 {
			row := []value.Value{numberOf(result, i), numberOf(result, parent), value.OfFloat(t.weights[i])}
			if err := yield(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// links goes over the relationships of the tree, from parents.
func (t tree) links(yield func(from, to uint64, weight float64) error) error {
	for i, parent := range t.parents {
		if parent >= 0 && parent != i {
			if err := yield(t.Node(parent), t.Node(i), t.weights[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
