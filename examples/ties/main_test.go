package main

import (
	"os"
	"os/exec"
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
	}, map[string]plugintest.Oracle{"tie-overlap": oracle})
}

// oracle computes it plainly. Rows may come in any order.
func oracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	near := make([]map[uint32]bool, g.N())
	for v := range near {
		near[v] = map[uint32]bool{}
		for _, u := range g.Out.Of(v) {
			near[v][u] = int(u) != v
		}
	}
	result := make([]algorithms.Values, 4) // as long as there are rows
	for v := range near {
		for u, edge := range near[v] {
			if !edge || !g.Directed && int(u) < v {
				continue
			}
			common, all := 0, 0
			for w := range uint32(g.N()) {
				if w == u || int(w) == v {
					continue
				}
				if near[v][w] && near[u][w] {
					common++
				}
				if near[v][w] || near[u][w] {
					all++
				}
			}
			result[0].Ints = append(result[0].Ints, g.IDs[v])
			result[1].Ints = append(result[1].Ints, g.IDs[u])
			result[2].Ints = append(result[2].Ints, int64(common))
			result[3].Floats = append(result[3].Floats, float64(common)/float64(max(all, 1)))
		}
	}
	return result, nil
}
