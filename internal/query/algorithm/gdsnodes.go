package algorithm

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// hitsForm has both scores in a map. What is kept is called by prefix and name.
var hitsForm = form{
	name: "hits", spelled: []spelling{{"hitsIterations", "iterations"}},
	ignored: []string{"partitioning"}, options: []string{"authproperty", "hubproperty"},
	columns: []procedure.Field{field("nodeId", "INTEGER"), field("values", "MAP")},
	rows: func(_ context.Context, _ procedure.Graph, result Result, request configured,
		yield func([]value.Value) error) error {
		auth, hub := scoreNames(request)
		columns := result.Columns()
		for i := range columns[0].Floats {
			scores := value.OfEntries([]value.Entry{{Key: auth, Value: value.OfFloat(columns[0].Floats[i])},
				{Key: hub, Value: value.OfFloat(columns[1].Floats[i])}})
			if err := yield([]value.Value{numberOf(result, i), scores}); err != nil {
				return err
			}
		}
		return nil
	},
	properties: func(result Result, name string, request configured) []algorithms.Values {
		columns := slices.Clone(result.Columns())
		auth, hub := scoreNames(request)
		columns[0].Name, columns[1].Name = name+auth, name+hub
		return columns
	},
}

func scoreNames(request configured) (auth, hub string) {
	return request.option("authproperty", "auth"), request.option("hubproperty", "hub")
}

// bridgesForm has a row of each bridge.
var bridgesForm = form{
	name: "bridges", modes: only,
	columns: []procedure.Field{field("from", "INTEGER"), field("to", "INTEGER")},
	rows: func(ctx context.Context, _ procedure.Graph, result Result, _ configured,
		yield func([]value.Value) error) error {
		ends, err := result.Places(ctx, 0)
		if err != nil {
			return err
		}
		for i, end := range ends {
			if end >= 0 {
				if err := yield([]value.Value{numberOf(result, end), numberOf(result, i)}); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// biconnectedForm has a row of each node in each component.
var biconnectedForm = form{
	name:    "biconnectedComponents",
	columns: []procedure.Field{field("nodeId", "INTEGER"), field("componentId", "INTEGER")},
	rows: func(ctx context.Context, _ procedure.Graph, result Result, _ configured,
		yield func([]value.Value) error) error {
		components, err := result.Places(ctx, 0)
		if err != nil {
			return err
		}
		tops, err := result.Places(ctx, 1)
		if err != nil {
			return err
		}
		for i, component := range components {
			if component < 0 {
				continue // the root of its part
			}
			if err := yield([]value.Value{numberOf(result, i), numberOf(result, component)}); err != nil {
				return err
			}
			if i != component {
				continue
			}
			if err := yield([]value.Value{numberOf(result, tops[i]), numberOf(result, component)}); err != nil {
				return err
			}
		}
		return nil
	},
}

// articulationForm has a row of each articulation point alone; of others 0 is kept, of these 1.
var articulationForm = form{
	name:    "articulationPoints",
	columns: []procedure.Field{field("nodeId", "INTEGER"), field("resultingComponents", "INTEGER")},
	rows: func(_ context.Context, _ procedure.Graph, result Result, _ configured,
		yield func([]value.Value) error) error {
		columns := result.Columns()
		for i, articulation := range columns[0].Bools {
			if articulation {
				if err := yield([]value.Value{numberOf(result, i), value.OfInt(columns[1].Ints[i])}); err != nil {
					return err
				}
			}
		}
		return nil
	},
	properties: func(result Result, name string, _ configured) []algorithms.Values {
		points := result.Columns()[0].Bools
		marks := algorithms.NewValues(algorithms.Column{Name: name, Type: algorithms.Int}, len(points))
		for i, articulation := range points {
			if articulation {
				marks.Ints[i] = 1
			}
		}
		return []algorithms.Values{marks}
	},
}

// optimizationForm is the first level of Louvain: nodes move, and communities do not.
var optimizationForm = form{
	name: "modularityOptimization", fixed: map[string]string{"levels": "1"}, without: []string{"levels", "intermediate"},
	ignored: []string{"batchsize"}, sums: []summed{{field("nodes", "INTEGER"), nodeCount}},
}

// orderForm has a row of each node, in topological order.
var orderForm = form{
	name: "dag.topologicalSort", modes: only, options: []string{"computemaxdistancefromsource"},
	columns: []procedure.Field{field("nodeId", "INTEGER"), {Name: "maxDistanceFromSource", Type: "FLOAT", Nullable: true}},
	rows: func(_ context.Context, _ procedure.Graph, result Result, request configured,
		yield func([]value.Value) error) error {
		columns := result.Columns()
		order := make([]int, len(columns[0].Ints))
		for i, position := range columns[0].Ints {
			order[position] = i
		}
		far, given := request.options["computemaxdistancefromsource"]
		for _, i := range order {
			row := []value.Value{numberOf(result, i), {}}
			if given && far.Kind() == value.Bool && far.Bool() {
				row[1] = value.OfFloat(float64(columns[1].Ints[i]))
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	},
}

// longestForm has the path to each node.
var longestForm = form{
	name: "dag.longestPath", modes: only,
	columns: []procedure.Field{field("index", "INTEGER"), field("sourceNode", "INTEGER"), field("targetNode", "INTEGER"),
		field("totalCost", "FLOAT"), field("nodeIds", "LIST"), field("costs", "LIST"),
		{Name: "path", Type: "PATH", Nullable: true}},
	rows: func(ctx context.Context, g procedure.Graph, result Result, request configured,
		yield func([]value.Value) error) error {
		parents, err := result.Places(ctx, 1)
		if err != nil {
			return err
		}
		ways, way, all := newWays(g, request, result.Directed()), value.Value{}, result.Columns()[0].Floats
		ways.heaviest = true
		for i := range parents {
			var nodes []uint64
			var costs []float64
			for at := i; at >= 0; at = parents[at] {
				nodes, costs = append(nodes, result.Node(at)), append(costs, all[at])
			}
			slices.Reverse(nodes)
			slices.Reverse(costs)
			if procedure.Wanted(ctx, 6) {
				if way, err = ways.through(nodes); err != nil {
					return err
				}
			}
			numbers := listOf(nodes, func(node uint64) value.Value { return value.OfInt(int64(node)) })
			if err := yield([]value.Value{value.OfInt(int64(i)), numbers[0], numbers[len(numbers)-1], value.OfFloat(all[i]),
				value.OfList(numbers), value.OfList(listOf(costs, value.OfFloat)), way}); err != nil {
				return err
			}
		}
		return nil
	},
}

// numberOf is the number of the node that has the i-th value.
func numberOf(result Result, i int) value.Value { return value.OfInt(int64(result.Node(i))) }

// influenceForm has a row of each node that is found alone; of others 0 is kept.
var influenceForm = form{
	name: "influenceMaximization.celf", requires: []string{"seedSetSize"},
	columns: []procedure.Field{field("nodeId", "INTEGER"), field("spread", "FLOAT")},
	rows: func(_ context.Context, _ procedure.Graph, result Result, _ configured,
		yield func([]value.Value) error) error {
		columns := result.Columns()
		for i, rank := range columns[1].Ints {
			if rank == algorithms.Unreached {
				continue
			}
			if err := yield([]value.Value{numberOf(result, i), value.OfFloat(columns[0].Floats[i])}); err != nil {
				return err
			}
		}
		return nil
	},
	properties: func(result Result, name string, _ configured) []algorithms.Values {
		spread := result.Columns()[0]
		spread.Name = name
		return []algorithms.Values{spread}
	},
}
