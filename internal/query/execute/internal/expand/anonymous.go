package expand

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// anonymously follows relationships without knowing which they are. Those that the row has
// already, and that could be followed again, are as many to leave out of those that lead where
// they do.
func (x *expansion) anonymously() frame.Emit {
	var behind []uint64 // where relationships to leave out lead
	each := func(other uint64) bool {
		if len(behind) > 0 {
			if i := slices.Index(behind, other); i >= 0 {
				behind = slices.Delete(behind, i, i+1)
				return true
			}
		}
		if !x.Into {
			x.Row[x.To] = value.OfNodeID(other)
		} else if other != x.target {
			x.failed = x.Tick()
			return x.failed == nil
		}
		if x.failed = x.Tick(); x.failed == nil {
			x.failed = x.next()
		}
		return x.failed == nil
	}
	return func() error {
		from, ok, err := entity.NodeIn(x.Frame, x.From)
		if !ok {
			return err
		}
		tokens, ok := x.types.In(x.Graph)
		if !ok {
			return nil
		}
		direction := x.direction
		if x.Into {
			if from, direction, ok, err = x.nearer(from, tokens); !ok {
				return err
			}
		}
		behind = behind[:0]
		for i := range x.Unlike {
			if other, again := leadsBack(x.Frame, &x.Unlike[i], from, direction); again {
				behind = append(behind, other)
			}
		}
		x.failed = nil
		if err := x.Graph.Neighbors(from, direction, tokens, each); err != nil {
			return err
		}
		return x.failed
	}
}

// leadsBack is where the relationship of a trail leads from a node in a direction; false: it does
// not. Only the ends in the row are looked at (see plan.Expand.Anonymous).
func leadsBack(f *frame.Frame, t *plan.Trail, node uint64, d store.Direction) (uint64, bool) {
	start, end := f.Row[t.From].ID(), f.Row[t.To].ID()
	if t.Direction == ast.Incoming {
		start, end = end, start
	}
	switch {
	case d != store.In && start == node:
		return end, true
	case d != store.Out && end == node:
		return start, true
	}
	return 0, false
}
