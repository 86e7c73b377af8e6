// Package expand holds the operators that follow relationships: one (Expand), any number (VarExpand),
// only their number (Degree), and those that the row has already (RelationshipEnds).
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

// Directions are those of the store.
var Directions = map[ast.Direction]store.Direction{ast.Outgoing: store.Out, ast.Incoming: store.In,
	ast.Either: store.Both}

// Reversed is the direction seen from the other end.
func Reversed(d store.Direction) store.Direction {
	switch d {
	case store.Out:
		return store.In
	case store.In:
		return store.Out
	}
	return store.Both
}

// unlike tells whether a relationship is none of those of trails.
func unlike(f *frame.Frame, rel uint64, trails []plan.Trail) bool {
	for i := range trails {
		v := f.Row[trails[i].Slot]
		if !trails[i].List {
			if v.ID() == rel {
				return false
			}
			continue
		}
		if slices.ContainsFunc(v.List(), func(r value.Value) bool { return r.ID() == rel }) {
			return false
		}
	}
	return true
}

// expansion is an Expand at work.
type expansion struct {
	*plan.Expand
	*frame.Frame
	types     *frame.Types
	direction store.Direction
	next      frame.Emit
	target    uint64 // of Into
	failed    error
}

// Expand emits a row for each relationship of a node.
func Expand(f *frame.Frame, input frame.Input, o *plan.Expand, next frame.Emit) frame.Emit {
	x := &expansion{Expand: o, Frame: f, types: frame.NewTypes(o.Types), direction: Directions[o.Direction], next: next}
	each, into := x.each, x.into
	if o.Anonymous {
		return input(x.anonymously())
	}
	return input(func() error {
		from, ok, err := entity.NodeIn(f, o.From)
		if !ok {
			return err
		}
		tokens, ok := x.types.In(x.Graph)
		if !ok {
			return nil
		}
		if !o.Into {
			return x.walk(from, x.direction, tokens, each)
		}
		start, direction, ok, err := x.nearer(from, tokens)
		if !ok {
			return err
		}
		return x.walk(start, direction, tokens, into)
	})
}

func (x *expansion) walk(from uint64, d store.Direction, tokens []store.Token,
	each func(rel, other uint64) bool) error {
	x.failed = nil
	if err := x.Graph.Expand(from, d, tokens, each); err != nil {
		return err
	}
	return x.failed
}

func (x *expansion) each(rel, other uint64) bool {
	if len(x.Unlike) > 0 && !unlike(x.Frame, rel, x.Unlike) {
		return true
	}
	x.Row[x.Relationship] = value.OfRelationshipID(rel)
	x.Row[x.To] = value.OfNodeID(other)
	if x.failed = x.Tick(); x.failed == nil {
		x.failed = x.Pass(x.next)
	}
	return x.failed == nil
}

// nearer is the end with fewer relationships, and how these look from there. The other end is the
// target; false: there is null.
func (x *expansion) nearer(from uint64, tokens []store.Token) (uint64, store.Direction, bool, error) {
	to, ok, err := entity.NodeIn(x.Frame, x.To)
	if !ok {
		return 0, 0, false, err
	}
	here, err := x.Graph.Degree(from, x.direction, tokens)
	if err != nil {
		return 0, 0, false, err
	}
	there, err := x.Graph.Degree(to, Reversed(x.direction), tokens)
	if there < here {
		x.target = from
		return to, Reversed(x.direction), err == nil, err
	}
	x.target = to
	return from, x.direction, err == nil, err
}

func (x *expansion) into(rel, other uint64) bool {
	if other != x.target || !unlike(x.Frame, rel, x.Unlike) {
		x.failed = x.Tick()
		return x.failed == nil
	}
	x.Row[x.Relationship] = value.OfRelationshipID(rel)
	x.failed = x.Pass(x.next)
	return x.failed == nil
}
