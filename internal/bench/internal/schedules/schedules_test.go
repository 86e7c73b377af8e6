package schedules

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/measuretest"
)

// streamedOnce is a report of one row, as if each schedule had sent and taken so much.
func streamedOnce(graph, kernel string, share float64, cells ...Cell) *Streaming {
	return &Streaming{Graphs: []StreamedGraph{{Name: graph,
		Rows: []StreamedRow{{Kernel: kernel, Share: share, Cells: cells}}}}}
}

func ran(schedule string, transfer uint64, seconds float64) Cell {
	return Cell{Schedule: schedule, Rounds: []Round{{Transfer: transfer, Seconds: seconds, Iterations: 7}}}
}

func TestSchedules_GoalsAreJudgedByMedians(t *testing.T) {
	for _, c := range []struct {
		graph    string
		share    float64
		transfer uint64
		auto     float64
		want     string
	}{
		{"rmat-20", 0.25, 35e6, 1.1, "| 0.35 subway, ≤ 0.35 met | 0.17 subway, ≤ 0.35 met | 1.10 met |"},
		{"rmat-20", 0.25, 36e6, 1.2, "| 0.36 subway, ≤ 0.35 not met | 0.18 subway, ≤ 0.35 met | 1.20 not met |"},
		{"rmat-20", 0.5, 36e6, 0.9, "| 0.36 subway | 0.18 subway | 1.00 met |"},
		{"rmat-18", 0.25, 36e6, 0.9, "| 0.36 subway | 0.18 subway | 1.00 met |"},
	} {
		subway := ran("subway", c.transfer, 1)
		subway.Rounds = append(subway.Rounds, Round{Transfer: 1e9, Seconds: 9}, Round{})
		text := measuretest.Markdown(t, streamedOnce(c.graph, "bfs", c.share, ran("plain", 200e6, 9), ran("whole", 100e6, 2),
			subway, ran("auto", 90e6, c.auto)))
		if !strings.Contains(text, c.want) {
			t.Errorf("%+v: no %q in\n%s", c, c.want, text)
		}
	}
}

// TestSchedules_SaysWhyACellIsEmpty: and a baseline that is missing leaves no ratio.
func TestSchedules_SaysWhyACellIsEmpty(t *testing.T) {
	r := streamedOnce("rmat-20", "bfs", 0.25, Cell{Schedule: "whole", Stopped: true, Rounds: []Round{{Seconds: 1}}},
		Cell{Schedule: "scaph", Refused: "too much"}, ran("auto", 1e6, 1))
	r.SimulatedLink = 12e9
	text := measuretest.Markdown(t, r)
	for _, want := range []string{"## rmat-20, *simulated* link of 12 GB/s",
		"| bfs | 1/4 | stopped | refused | 1.0 MB, 1000 ms, CPU 0 ms, 7 | – | – | 1.00 met |", "- bfs by scaph is refused: too much"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestParseScheduled(t *testing.T) {
	for text, want := range map[string]scheduled{
		"plain":                {schedule: "whole", plain: true},
		"auto":                 {schedule: "auto"},
		"subway --synchronous": {schedule: "subway", synchronous: true},
		"scaph:alpha=0.4":      {schedule: "scaph:alpha=0.4"},
	} {
		want.name = text
		if got, err := parseScheduled(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "sideways", "subway:alpha=1", "subway -synchronous"} {
		var wrong *measure.OptionError
		if _, err := parseScheduled(text); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAgrees: what no sum can tell is told by any difference.
func TestAgrees(t *testing.T) {
	inf := math.Inf(1)
	s := streamedKernel{Kernel: kernel.Kernel{Algorithm: "x"},
		want: []algorithms.Values{{Ints: []int64{1, 2}, Floats: []float64{inf, 2}}}}
	same := []algorithms.Values{{Ints: []int64{1, 2}, Floats: []float64{inf, 2}}}
	if err := s.agrees(scheduled{}, same); err != nil {
		t.Error(err)
	}
	var apart *ApartError
	for _, other := range []algorithms.Values{
		{Ints: []int64{2, 1}, Floats: []float64{inf, 2}}, {Ints: []int64{1, 2}, Floats: []float64{2, inf}},
		{Ints: []int64{1, 2}, Floats: []float64{inf, 2.001}}, {Ints: []int64{1, 2}, Floats: []float64{inf, math.NaN()}},
	} {
		if err := s.agrees(scheduled{}, []algorithms.Values{other}); !errors.As(err, &apart) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	s.Distance = 0.01
	if err := s.agrees(scheduled{}, []algorithms.Values{{Ints: []int64{1, 2},
		Floats: []float64{inf, 2.001}}}); err != nil {
		t.Error(err)
	}
}

func TestDrawing_Ratios(t *testing.T) {
	streamed := streamedOnce("rmat-20", "bfs", 0.25, ran("plain", 3, 1), ran("whole", 2, 1), ran("auto", 1, 1))
	measuretest.Drawn(t, streamed.WriteSVG)
}
