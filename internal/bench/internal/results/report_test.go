package results

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/measuretest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// measured is a report as if a kernel had taken these seconds.
func measured(graph, kernel string, found measure.Timings) *Report {
	return &Report{Graphs: []Graph{{Name: graph, Kernels: []Row{{kernel, found}}}}}
}

func TestGoalsAreJudgedByMedians(t *testing.T) {
	for _, c := range []struct {
		graph string
		ours  []float64
		want  string
	}{
		{"rmat-20", []float64{0.6, 9, 0.1}, "| 0.60 (0.10) | ≤ 0.60 met |"},
		{"rmat-20", []float64{0.7, 9, 0.1}, "| 0.70 (0.10) | ≤ 0.60 not met |"},
		{"road-ny", []float64{1, 9, 0.1}, "| ≤ 1.00 met |"},
		{"rmat-18", []float64{0.1}, "| 0.10 (0.10) |  |"},
	} {
		text := measuretest.Markdown(t, measured(c.graph, "bfs",
			measure.Timings{{Name: measure.InPlugin, Seconds: c.ours}, {Name: measure.GapbsKernels, Seconds: []float64{1}}}))
		if !strings.Contains(text, c.want) {
			t.Errorf("%s, %v: no %q in\n%s", c.graph, c.ours, c.want, text)
		}
	}
}

// TestEveryTimeIsShown: what has no peer has a line of its own.
func TestEveryTimeIsShown(t *testing.T) {
	text := measuretest.Markdown(t, measured("rmat-20", "bfs",
		measure.Timings{{Name: measure.InPlugin, Seconds: []float64{0.25}},
			{Name: measure.WholeProcess, Seconds: []float64{0.5}}, {Name: measure.InProcess, Seconds: []float64{0.125}}}))
	for _, want := range []string{"| bfs | plugin | 250.0 (250.0) | in process | 125.0 (125.0) |",
		"| bfs | whole process | 500.0 (500.0) |  |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestDrawingIsXML(t *testing.T) {
	random := testseed.Rand(t)
	r := measured("rmat-20", "bfs", nil)
	for _, way := range measure.Ways {
		r.Graphs[0].Kernels[0].Ways = append(r.Graphs[0].Kernels[0].Ways,
			measure.Timing{Name: way, Seconds: []float64{random.ExpFloat64(), random.ExpFloat64()}})
	}
	measuretest.Drawn(t, r.WriteSVG)
	measuretest.Drawn(t, (&Report{}).WriteSVG)
}
