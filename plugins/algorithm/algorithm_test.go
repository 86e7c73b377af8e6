package algorithm_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/algorithm"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

var weight = algorithms.ParamDefinition{Name: "weight", Type: "property", Default: "weight", Optional: true, Doc: "of edges"}

func column(name, kind string) []algorithms.ResultColumn {
	return []algorithms.ResultColumn{{Name: name, Type: kind}}
}

// strength adds up the weights of the edges that leave a vertex: the lists of edges one way, and their weights.
var strength = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "strength", Summary: "sum of weights", Edges: "forward",
		Params: []algorithms.ParamDefinition{weight}, Result: column("strength", "float")},
	Compute: func(ctx context.Context, g *algorithm.Graph, _ algorithms.Args, result []algorithms.Values) error {
		return g.ForEach(ctx, func(v int) {
			for _, w := range g.Out(v).All() {
				result[0].Floats[v] += w
			}
		})
	},
}

func strengthOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	sums := algorithms.NewValues(algorithms.Column{Name: "strength", Type: algorithms.Float}, g.N())
	for v := range g.N() {
		for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
			w := 1.0
			if name := args.Strings["weight"]; name != "" {
				w = g.Out.Columns[name][k]
			}
			sums.Floats[v] += w
		}
	}
	return []algorithms.Values{sums}, nil
}

// mutual tells how many edges come to a vertex from those that it has edges to, and from whom first: lists both ways,
// and all types of columns.
var mutual = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "mutual", Summary: "edges that are returned", Edges: "both",
		Result: []algorithms.ResultColumn{{Name: "count", Type: "int"}, {Name: "any", Type: "bool"}, {Name: "by", Type: "vertex"}}},
	Compute: func(ctx context.Context, g *algorithm.Graph, _ algorithms.Args, result []algorithms.Values) error {
		return g.ForEach(ctx, func(v int) {
			result[2].Ints[v] = algorithms.Unreached
			for u := range g.In(v).All() {
				for to := range g.Out(v).All() {
					if to == u {
						result[2].Ints[v] = min(result[2].Ints[v], g.ID(u))
						result[0].Ints[v]++
						break
					}
				}
			}
			result[1].Bools[v] = result[0].Ints[v] > 0
		})
	},
}

func mutualOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	count := algorithms.NewValues(algorithms.Column{Name: "count", Type: algorithms.Int}, g.N())
	some := algorithms.NewValues(algorithms.Column{Name: "any", Type: algorithms.Bool}, g.N())
	by := algorithms.NewValues(algorithms.Column{Name: "by", Type: algorithms.VertexID}, g.N())
	for v := range g.N() {
		by.Ints[v] = algorithms.Unreached
		for _, u := range g.In.Of(v) {
			if slices.Contains(g.Out.Of(v), u) {
				count.Ints[v]++
				by.Ints[v] = min(by.Ints[v], g.IDs[u])
			}
		}
		some.Bools[v] = count.Ints[v] > 0
	}
	return []algorithms.Values{count, some, by}, nil
}

// beside adds up a property of the vertices that edges lead to, where their group is the vertex' own: a property of
// floats, and one of whole numbers that need not be named.
var beside = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "beside", Summary: "sum of what is beside", Edges: "forward",
		Params: []algorithms.ParamDefinition{
			{Name: "amount", Type: "vertex-property", Values: "float", Missing: "0", Doc: "of each"},
			{Name: "group", Type: "vertex-property", Values: "int", Optional: true, Doc: "of each"}},
		Result: column("amount", "float")},
	Compute: func(ctx context.Context, g *algorithm.Graph, _ algorithms.Args, result []algorithms.Values) error {
		amounts, groups := g.Property("amount").Floats, g.Property("group").Ints
		return g.ForEach(ctx, func(v int) {
			for u := range g.Out(v).All() {
				if groups == nil || groups[u] == groups[v] {
					result[0].Floats[v] += amounts[u]
				}
			}
		})
	},
}

func besideOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	sums := algorithms.NewValues(algorithms.Column{Name: "amount", Type: algorithms.Float}, g.N())
	amounts, groups := g.Properties[args.Strings["amount"]], g.Properties[args.Strings["group"]].Ints
	for v := range g.N() {
		for _, u := range g.Out.Of(v) {
			switch {
			case groups != nil && groups[u] != groups[v]:
			case amounts.Ints != nil:
				sums.Floats[v] += float64(amounts.Ints[u])
			default:
				sums.Floats[v] += amounts.Floats[u]
			}
		}
	}
	return []algorithms.Values{sums}, nil
}

// unasked counts the lists that near has visited without need.
var unasked atomic.Int64

// near finds the vertices from which a source is so many edges away, at most: passes, each of which needs the lists of
// vertices that are not there yet.
var near = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "near", Summary: "edges to a vertex", Edges: "forward",
		Params: []algorithms.ParamDefinition{{Name: "source", Type: "vertex", Doc: "the vertex"},
			{Name: "steps", Type: "int", Default: "3", Min: 1, Max: 5, Doc: "how far"}},
		Result: column("steps", "int")},
	Memory: func(g algorithm.Size, _ algorithms.Args) uint64 { return 8 * g.Vertices },
	Passes: func(_ context.Context, g *algorithm.Graph, args algorithms.Args,
		result []algorithms.Values) (algorithm.Passes, error) {
		steps, before := result[0].Ints, make([]int64, g.N())
		for v := range steps {
			steps[v] = algorithms.Unreached
		}
		source := g.Vertex(args.Ints["source"])
		if source < 0 {
			return algorithm.Passes{}, errors.New("there is no such vertex")
		}
		steps[source] = 0
		return algorithm.Passes{
			Needs: func(v int) bool { return steps[v] == algorithms.Unreached },
			Visit: func(v int, l algorithm.List, _ bool) {
				if before[v] != algorithms.Unreached {
					unasked.Add(1)
				}
				for u := range l.All() {
					if before[u] < algorithms.Unreached {
						steps[v] = min(steps[v], before[u]+1)
					}
				}
			},
			End: func(_ context.Context, pass int) (bool, error) {
				copy(before, steps)
				return pass == int(args.Ints["steps"]), nil
			},
		}, nil
	},
}

func nearOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	steps := algorithms.NewValues(algorithms.Column{Name: "steps", Type: algorithms.Int}, g.N())
	for v := range steps.Ints {
		steps.Ints[v] = algorithms.Unreached
	}
	frontier := []uint32{uint32(slices.Index(g.IDs, args.Ints["source"]))}
	for step := int64(0); step <= args.Ints["steps"]; step++ {
		var next []uint32
		for _, v := range frontier {
			if steps.Ints[v] == algorithms.Unreached {
				steps.Ints[v] = step
				next = append(next, g.In.Of(int(v))...)
			}
		}
		frontier = next
	}
	return []algorithms.Values{steps}, nil
}

// shared counts what the vectors of a vertex and of its neighbors have in common: vectors in passes, or none.
var shared = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "shared", Summary: "numbers in common with neighbors", Edges: "forward",
		Params: []algorithms.ParamDefinition{{Name: "at", Type: "vectors", Optional: true, Doc: "what is compared"}},
		Result: column("count", "int")},
	Passes: func(_ context.Context, g *algorithm.Graph, _ algorithms.Args,
		result []algorithms.Values) (algorithm.Passes, error) {
		at := g.Vectors("at")
		return algorithm.Passes{
			Visit: func(v int, l algorithm.List, _ bool) {
				for u := range l.All() {
					for k, x := range at.Of(v) {
						if at.Of(u)[k] == x {
							result[0].Ints[v]++
						}
					}
				}
			},
			End: func(_ context.Context, pass int) (bool, error) { return pass == 1, nil },
		}, nil
	},
}

func sharedOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	counts := algorithms.NewValues(algorithms.Column{Name: "count", Type: algorithms.Int}, g.N())
	property, given := g.Properties[args.Strings["at"]]
	if !given {
		return []algorithms.Values{counts}, nil
	}
	vectors := slices.Collect(slices.Chunk(property.Vectors32(), property.Per()))
	for v := range g.N() {
		for _, u := range g.Out.Of(v) {
			for k, x := range vectors[v] {
				if vectors[u][k] == x {
					counts.Ints[v]++
				}
			}
		}
	}
	return []algorithms.Values{counts}, nil
}

// hubs are rows of all types, and of lists: the first vertices that a vertex has edges to, of those that have some. It
// goes in passes, and takes rows when these have ended.
var hubs = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "hubs", Summary: "who has edges to whom", Edges: "forward",
		Params: []algorithms.ParamDefinition{{Name: "k", Type: "int", Default: "2", Min: 1, Max: 9, Doc: "of each"}},
		Result: []algorithms.ResultColumn{{Name: "hub", Type: "vertex"}, {Name: "first", Type: "vertex", Width: "k"},
			{Name: "more", Type: "bool"}, {Name: "edges", Type: "int"}, {Name: "share", Type: "float"}},
		Rows: "vertices"},
	Passes: func(_ context.Context, g *algorithm.Graph, _ algorithms.Args,
		result []algorithms.Values) (algorithm.Passes, error) {
		lists := make([][]int64, g.N())
		return algorithm.Passes{
			Visit: func(v int, l algorithm.List, _ bool) {
				for u := range l.All() {
					lists[v] = append(lists[v], g.ID(u))
				}
			},
			End: func(_ context.Context, pass int) (bool, error) {
				for v, list := range lists {
					if len(list) == 0 {
						continue
					}
					row, err := g.NewRow()
					if err != nil {
						return true, err
					}
					result[0].Ints[row], result[3].Ints[row] = g.ID(v), int64(len(list))
					result[2].Bools[row] = copy(result[1].Ints[row*result[1].Per():][:result[1].Per()], list) < len(list)
					result[4].Floats[row] = float64(len(list)) / float64(g.Edges)
				}
				return pass == 1, nil
			},
		}, nil
	},
	Memory: func(g algorithm.Size, _ algorithms.Args) uint64 { return 24*g.Vertices + 32*g.Edges },
}

func hubsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	all, k := make([]algorithms.Values, 5), int(args.Ints["k"])
	for v := g.N() - 1; v >= 0; v-- { // any order will do
		near := g.Out.Of(v)
		if len(near) == 0 {
			continue
		}
		for i := range k {
			id := algorithms.Unreached
			if i < len(near) {
				id = g.IDs[near[i]]
			}
			all[1].Ints = append(all[1].Ints, id)
		}
		all[0].Ints, all[3].Ints = append(all[0].Ints, g.IDs[v]), append(all[3].Ints, int64(len(near)))
		all[2].Bools = append(all[2].Bools, len(near) > k)
		all[4].Floats = append(all[4].Floats, float64(len(near))/float64(g.M()))
	}
	return all, nil
}

// loops are rows that all goroutines take.
var loops = algorithm.Algorithm{
	Definition: algorithms.Definition{Name: "loops", Summary: "edges that lead to where they come from", Edges: "forward",
		Result: []algorithms.ResultColumn{{Name: "at", Type: "vertex"}, {Name: "weight", Type: "float"}}, Rows: "edges",
		Params: []algorithms.ParamDefinition{weight}},
	Compute: func(ctx context.Context, g *algorithm.Graph, _ algorithms.Args, result []algorithms.Values) error {
		err := g.ForEach(ctx, func(v int) {
			for u, w := range g.Out(v).All() {
				if u == v {
					if row, err := g.NewRow(); err == nil { // else the run fails
						result[0].Ints[row], result[1].Floats[row] = g.ID(v), w
					}
				}
			}
		})
		g.SortRows()
		return err
	},
}

func loopsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	all, weights := make([]algorithms.Values, 2), g.Out.Columns[args.Strings["weight"]]
	for v := range g.N() {
		for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
			if int(g.Out.Neighbors[k]) == v {
				w := 1.0
				if weights != nil {
					w = weights[k]
				}
				all[0].Ints, all[1].Floats = append(all[0].Ints, g.IDs[v]), append(all[1].Floats, w)
			}
		}
	}
	return all, nil
}

func open(t *testing.T, all ...algorithm.Algorithm) plugins.Device {
	t.Helper()
	d, err := algorithm.New(algorithm.Plugin{Name: "some", Version: "1.0.0", Algorithms: all})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAlgorithms(t *testing.T) {
	all := []algorithm.Algorithm{strength, mutual, near, beside, shared, hubs, loops}
	plugintest.RunAlgorithms(t, func(t *testing.T) plugins.Device { return open(t, all...) },
		map[string]plugintest.Oracle{"strength": strengthOracle, "mutual": mutualOracle, "near": nearOracle,
			"beside": besideOracle, "shared": sharedOracle, "hubs": hubsOracle, "loops": loopsOracle})
	if n := unasked.Load(); n > 0 {
		t.Errorf("%d lists were visited that no pass needs", n)
	}
}

// TestComputeAlone: a plugin without passes does not name that extension.
func TestComputeAlone(t *testing.T) {
	plugintest.RunAlgorithms(t, func(t *testing.T) plugins.Device { return open(t, strength) },
		map[string]plugintest.Oracle{"strength": strengthOracle})
}

func TestNew_Refuses(t *testing.T) {
	both, neither, wrong, two := strength, strength, strength, strength
	both.Passes, neither.Compute, wrong.Edges = near.Passes, nil, "up"
	two.Params = []algorithms.ParamDefinition{weight, {Name: "length", Type: "property", Optional: true, Doc: "of edges"}}
	for name, all := range map[string][]algorithm.Algorithm{"both of Compute and Passes": {both}, "neither": {neither},
		"a wrong definition": {wrong}, "two properties": {two}, "one name twice": {strength, strength}} {
		if _, err := algorithm.New(algorithm.Plugin{Name: "some", Version: "1.0.0", Algorithms: all}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
