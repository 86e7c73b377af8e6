package main

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestMain makes the test binary the plugin itself when a host has started it.
func TestMain(m *testing.M) { plugintest.Main(m, main) }

// TestAlgorithms compares each algorithm with its oracle, over the process boundary.
func TestAlgorithms(t *testing.T) {
	plugintest.RunAlgorithms(t, func(t *testing.T) plugins.Device {
		return plugintest.Launch(t, exec.Command(os.Args[0]))
	}, map[string]plugintest.Oracle{"greedy-route": oracle})
}

// oracle takes the best of all neighbors again and again.
func oracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	count, length := int(args.Ints["routes"]), int(args.Ints["length"])
	routes := algorithms.NewValues(algorithms.Column{Name: "route", Type: algorithms.VertexID, Each: count * length,
		Path: length}, g.N())
	for i := range routes.Ints {
		routes.Ints[i] = algorithms.Unreached
	}
	property := g.Properties[args.Strings["at"]]
	vectors := slices.Collect(slices.Chunk(property.Vectors32(), property.Per()))
	target := vectors[slices.Index(g.IDs, args.Ints["target"])]
	// best is the nearest neighbor that is nearer than v, but for those of taken; -1: none is.
	best := func(v int, taken []int) int {
		found, least := -1, squaredDistance(vectors[v], target)
		for _, u := range g.Out.Of(v) {
			if d := squaredDistance(vectors[u], target); d < least && !slices.Contains(taken, int(u)) {
				found, least = int(u), d
			}
		}
		return found
	}
	for v := range g.N() {
		var taken []int
		for k := range count {
			u := best(v, taken)
			if u < 0 {
				break
			}
			taken = append(taken, u)
			route := append(routes.Ints[v*routes.Per()+k*length:][:0], g.IDs[v])
			for ; u >= 0 && len(route) < length; u = best(u, nil) {
				route = append(route, g.IDs[u])
			}
		}
	}
	return []algorithms.Values{routes}, nil
}
