// Package node_test runs the conformance suite against a plugin that is written in JavaScript.
package node_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestAlgorithms compares the plugin's algorithm with an oracle, over the wire.
func TestAlgorithms(t *testing.T) {
	dir := install(t)
	plugintest.RunAlgorithms(t, func(t *testing.T) plugins.Device {
		return plugintest.Launch(t, exec.Command("node", filepath.Join(dir, "main.mjs")))
	}, map[string]plugintest.Oracle{"h-index": hIndex})
}

// install brings in what the plugin needs. Where npm cannot, for it is not there or reaches no registry, the test is
// skipped, and says so.
func install(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob("*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	npm := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	npm.Dir = dir
	out, err := npm.CombinedOutput()
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "node_modules", "@grpc", "grpc-js"))
	}
	if err != nil {
		t.Skipf("NOTICE: the plugin in JavaScript was not tested, for npm could not install what it needs: %v\n%s", err, out)
	}
	return dir
}

// hIndex sorts the degrees at the other ends of a vertex' edges, and counts down.
func hIndex(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	h := algorithms.NewValues(algorithms.Column{Name: "h", Type: algorithms.Int}, g.N())
	for v := range g.N() {
		var degrees []int
		for _, u := range g.Out.Of(v) {
			degrees = append(degrees, g.Out.Degree(int(u)))
		}
		slices.SortFunc(degrees, func(a, b int) int { return cmp.Compare(b, a) })
		for i, degree := range degrees {
			if degree > i {
				h.Ints[v] = int64(i) + 1
			}
		}
	}
	return []algorithms.Values{h}, nil
}
