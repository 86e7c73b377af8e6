package scaling

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/bench/internal/measuretest"
)

func TestFlatIsJudgedBeyondTheCache(t *testing.T) {
	for _, c := range []struct {
		nanoseconds []float64
		want        string
	}{
		{[]float64{9, 1, 1.2}, "| 1.20, flat |"},
		{[]float64{1, 1.3, 1}, "| 1.30, not flat |"},
		{[]float64{1, 1}, "| – |"},
	} {
		s := &Scaling{Cache: 10, Sizes: []Size{{Bytes: 10}, {Bytes: 11}, {Bytes: 20}},
			Growth: []Curve{{"bfs", c.nanoseconds}}}
		if text := measuretest.Markdown(t, s); !strings.Contains(text, c.want) {
			t.Errorf("%v: no %q in\n%s", c.nanoseconds, c.want, text)
		}
	}
}

func TestDrawing_Lines(t *testing.T) {
	scaling := &Scaling{Sizes: []Size{{Scale: 4}, {Scale: 5}}, Growth: []Curve{{"bfs", []float64{0.5, 700}}}}
	measuretest.Drawn(t, scaling.WriteSVG)
	measuretest.Drawn(t, (&Scaling{}).WriteSVG)
}
