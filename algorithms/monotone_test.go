package algorithms_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// What the form of a program of one's own says of the order of its messages: sure where they may come in any, and
// nothing can go wrong; graph where values may get better for ever; step where an iteration needs all of them.
func TestCustom_TellsWhatIsMonotone(t *testing.T) {
	const sure, graph, step = "sure", "graph", "step"
	for _, c := range []struct{ reduce, init, process, want string }{
		{"min", "inf", "src.x", sure},
		{"min", "inf", "src.x + 1.5", sure},
		{"min", "inf", "rate + src.x", sure},
		{"max", "-inf", "src.x - 1.5", sure},
		{"min", "inf", "src.x - (-1.5)", sure},
		{"min", "inf", "max(src.x, edge.weight)", sure},
		{"max", "-inf", "min(edge.weight, src.x)", sure},
		{"min", "inf", "edge.weight < 3.0 ? src.x + 1.0 : max(src.x, 2.0)", sure},
		{"min", "unreached", "src.x + 1", sure},
		{"min", "id == source ? 0 : unreached", "src.x + 1", sure},
		{"min", "id", "src.x", sure},
		{"or", "id == source", "src.x && edge.weight > 1.0", sure},
		{"and", "id != source", "src.x == (edge.weight > 1.0)", sure}, // who sends has false

		{"min", "inf", "src.x + edge.weight", graph},
		{"min", "inf", "edge.weight + double(dst.out_degree) + src.x", graph},
		{"max", "-inf", "src.x + edge.weight", graph},
		{"min", "inf", "src.x - 1.5", graph},
		{"max", "-inf", "src.x - edge.weight", graph},
		{"min", "inf", "max(src.x, log(edge.weight))", graph},
		{"min", "inf", "edge.weight < 3.0 ? src.x + edge.weight : src.x", graph},
		{"min", "inf", "src.x + inf", graph},

		{"max", "id == source ? 1.0 : -inf", "0.5 * src.x", sure},
		{"max", "id == source ? 1.0 : -inf", "src.x * edge.weight", step}, // which may be negative
		{"max", "id == source ? 1.0 : -inf", "edge.weight < 3.0 ? 0.5 * src.x : src.x * 0.25 * rate", sure},
		{"max", "id == source ? -1.0 : -inf", "0.5 * src.x", step},
		{"max", "id == source ? 1.0 : -inf", "(src.x - 5.0) * 0.5", step}, // of -20 more than that
		{"max", "id == source ? 1.0 : -inf", "edge.weight < 3.0 ? 0.5 * src.x : src.x - 1.5", step},
		{"max", "id == source ? 1.0 : -inf", "0.5 * min(src.x, edge.weight)", step},
		{"max", "id == source ? inf : -inf", "0.0 * src.x", step},
		{"min", "id == source ? 1.0 : inf", "0.5 * src.x", step},

		{"min", "inf", "min(src.x, edge.weight)", step},
		{"max", "-inf", "max(src.x, edge.weight)", step},
		{"min", "inf", "src.x * edge.weight", step},
		{"min", "inf", "2.0 - src.x", step},
		{"min", "inf", "-src.x", step},
		{"min", "inf", "src.x + src.x", step},
		{"min", "inf", "src.x + dst.x", step},
		{"min", "inf", "max(src.x, dst.x)", step},
		{"min", "inf", "src.x < 3.0 ? src.x : src.x + 1.0", step},
		{"min", "inf", "edge.weight < 3.0 ? src.x : 1.0", step},
		{"min", "inf", "edge.weight", step},
		{"min", "inf", "double(src.id)", step},
		{"min", "unreached", "edge.weight < 3.0 ? src.x + 1 + 2 : src.x", sure},
		{"min", "unreached", "max(src.x, dst.id) + 1", step}, // of the largest id less than that
		{"min", "id", "src.x + 1", step},
		{"min", "id == source ? 9223372036854775806 : unreached", "src.x + 1", step},
		{"min", "unreached", "src.x + 1048577", step},
		{"min", "unreached", "src.x + src.out_degree", step},
		{"or", "id == source", "src.x && !dst.x", step},
		{"sum", "1.0", "src.x", step},
	} {
		custom := algorithms.Custom{Process: c.process, Reduce: c.reduce, Init: c.init,
			Params: map[string]string{"source": "a", "rate": "0.5"}}
		p, err := custom.Build(env("weight"))
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		got := step
		if p.Order == algorithms.Monotone {
			got = sure
			if p.Diverged != "" {
				got = graph
			}
		}
		if got != c.want {
			t.Errorf("%s of %s: %s; expected %s", c.reduce, c.process, got, c.want)
		}
	}
}

// A bound on iterations, an Apply or a norm has an iteration be an iteration.
func TestCustom_BoundIsSynchronous(t *testing.T) {
	for _, change := range []func(*algorithms.Custom){
		func(c *algorithms.Custom) { c.Params["iterations"] = "3" },
		func(c *algorithms.Custom) { c.Apply = "min(self.x, acc)" },
	} {
		custom := algorithms.Custom{Process: "src.x", Reduce: "min", Init: "1.0", Params: map[string]string{}}
		change(&custom)
		p, err := custom.Build(env("weight"))
		if err != nil || p.Order != algorithms.Synchronous || p.Diverged != "" {
			t.Errorf("%+v: order %d, %q, %v", custom, p.Order, p.Diverged, err)
		}
	}
}
