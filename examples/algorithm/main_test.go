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
	}, map[string]plugintest.Oracle{"neighbor-degree": oracle})
}

// oracle computes it plainly.
func oracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	means := algorithms.NewValues(algorithms.Column{Name: "degree", Type: algorithms.Float}, g.N())
	column := g.Out.Columns[args.Strings["weight"]]
	for v := range g.N() {
		sum, weights := 0.0, 0.0
		for i, u := range g.Out.Of(v) {
			w := 1.0
			if args.Strings["weight"] != "" {
				w = column[g.Out.Offsets[v]+i]
			}
			sum += w * float64(g.Out.Degree(int(u)))
			weights += w
		}
		if weights != 0 {
			means.Floats[v] = sum / weights
		}
	}
	return []algorithms.Values{means}, nil
}
