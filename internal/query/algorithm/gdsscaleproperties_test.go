package algorithm

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// many is a graph of many nodes with lists of three numbers; they are given out until that is an error.
type many struct {
	Runner
	procedure.Graph
	nodes, given uint64
}

func (m *many) Name() string { return "g" }

func (m *many) Describe(context.Context, string, store.Projection) (*store.Manifest, error) {
	return &store.Manifest{Vertices: m.nodes}, nil
}

func (m *many) NodeValues(_ context.Context, _ string, _ store.Projection, _ string,
	yield func(node uint64, v value.Value) error) error {
	list := value.OfList([]value.Value{value.OfInt(1), value.OfFloat(2), value.OfInt(3)})
	for m.given = 0; m.given < 4; m.given++ {
		if err := yield(m.given, list); err != nil {
			return err
		}
	}
	return nil
}

// What would take more memory than a call may is an error once the first list says how long they are, not before.
func TestScaling_TakesNoMoreThanItMay(t *testing.T) {
	asked := toScale{properties: []string{"a", "b"}, scaler: "max"}
	for _, c := range []struct{ nodes, given uint64 }{{4, 4}, {mostHeld / (16*6 + 20), 4}, {mostHeld/(16*6+20) + 1, 0}} {
		g := &many{nodes: c.nodes}
		_, err := scaling{&projections{runner: g}}.run(t.Context(), g, asked)
		var refused *fault.Error
		over := errors.As(err, &refused) && refused.Kind == fault.MemoryLimit
		if over != (c.given == 0) || g.given != c.given {
			t.Errorf("%d nodes: %v, after %d of the last property", c.nodes, err, g.given)
		}
	}
}
