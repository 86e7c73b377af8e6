package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// anonymously follows relationships without knowing which they are. Those that the row has
// already, and that could be followed again, are as many to leave out of those that lead where
// they do.
func (x *expansion) anonymously() emit {
	var behind []uint64 // where relationships to leave out lead
	each := func(other uint64) bool {
		if len(behind) > 0 {
			if i := slices.Index(behind, other); i >= 0 {
				behind = slices.Delete(behind, i, i+1)
				return true
			}
		}
		if !x.Into {
			x.row[x.To] = value.OfNodeID(other)
		} else if other != x.target {
			x.failed = x.tick()
			return x.failed == nil
		}
		if x.failed = x.tick(); x.failed == nil {
			x.failed = x.next()
		}
		return x.failed == nil
	}
	return func() error {
		from, ok, err := x.nodeIn(x.From)
		if !ok {
			return err
		}
		tokens, ok := x.types.in(x.graph)
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
			if other, again := x.leadsBack(&x.Unlike[i], from, direction); again {
				behind = append(behind, other)
			}
		}
		x.failed = nil
		if err := x.graph.Neighbours(from, direction, tokens, each); err != nil {
			return err
		}
		return x.failed
	}
}

// leadsBack is where the relationship of a trail leads from a node in a direction; false: it does
// not. Only the ends in the row are looked at (see plan.Expand.Anonymous).
func (f *frame) leadsBack(t *plan.Trail, node uint64, d store.Direction) (uint64, bool) {
	start, end := f.row[t.From].ID(), f.row[t.To].ID()
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
