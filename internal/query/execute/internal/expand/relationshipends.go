package expand

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// RelationshipEnds gives the nodes of a relationship that the row has; in a pattern without
// direction first one way, then the other.
func RelationshipEnds(f *frame.Frame, input frame.Input, o *plan.RelationshipEnds, next frame.Emit) frame.Emit {
	types, direction := frame.NewTypes(o.Types), Directions[o.Direction]
	return input(func() error {
		rel := f.Row[o.Relationship]
		if rel.IsNull() {
			return nil
		}
		if rel.Kind() != value.Relationship {
			return fault.Met(fault.TypeError, "InvalidArgumentType", "a pattern has the %s %s where a relationship has to be",
				rel.Kind(), rel.Text())
		}
		start, end, typ, err := f.Ends(rel.ID())
		if err != nil {
			return err
		}
		if tokens, ok := types.In(f.Graph); !ok || len(tokens) > 0 && !slices.Contains(tokens, typ) ||
			!unlike(f, rel.ID(), o.Unlike) {
			return nil
		}
		if direction != store.In {
			if err := between(f, o, start, end, next); err != nil {
				return err
			}
		}
		if direction == store.In || direction == store.Both && start != end {
			return between(f, o, end, start, next)
		}
		return nil
	})
}

func between(f *frame.Frame, o *plan.RelationshipEnds, from, to uint64, next frame.Emit) error {
	if !place(f, o.From, o.FromKnown, from) || !place(f, o.To, o.ToKnown || o.From == o.To, to) {
		return nil
	}
	return next()
}

// place puts a node into its slot; where that has one already, it tells whether it is the same.
func place(f *frame.Frame, slot int, known bool, node uint64) bool {
	if known {
		v := f.Row[slot]
		return v.Kind() == value.Node && v.ID() == node
	}
	f.Row[slot] = value.OfNodeID(node)
	return true
}
