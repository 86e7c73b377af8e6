package kernels

import (
	"regexp"
	"testing"

	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
)

// TestPatterns: what the peers print, as of GAPBS 1.5 and GridGraph 1.1.
func TestPatterns(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want float64
	}{
		"bfs":         {"Trial Time:          0.01730\nBFS Tree has 645911 nodes and 31402000 edges\n", 645911},
		"pagerank":    {"Trial Time: 0.2\n14:0.00061\n9:0.0005\n\nAverage Time:        0.2\n", 0.00061},
		"wcc":         {"\nLargest Cluster Sizes (id: size)\n0:12\nThere are 3 components\n", 3},
		"sssp":        {"SSSP Tree reaches 9 nodes\n", 9},
		"betweenness": {"0:1\n7:0.25\n1:0.125\n5:0.1\n", 0.5},
		"triangles":   {"114 triangles\n", 114},
	} {
		for _, k := range kernel.Kernels {
			if k.Algorithm != name {
				continue
			}
			if got, err := kernel.ReadFigure(regexp.MustCompile(k.Gapbs.Pattern), []byte(c.text)); err != nil || got != c.want {
				t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
			}
		}
	}
	if _, err := kernel.ReadFigure(trialTime, []byte("Segmentation fault")); err == nil {
		t.Error("no error without a time")
	}
}
