package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

var directions = map[ast.Direction]store.Direction{ast.Outgoing: store.Out, ast.Incoming: store.In, ast.Either: store.Both}

func reversed(d store.Direction) store.Direction {
	switch d {
	case store.Out:
		return store.In
	case store.In:
		return store.Out
	}
	return store.Both
}

// nodeIn is the node in a slot; false: there is null.
func (f *frame) nodeIn(slot int) (uint64, bool, error) {
	v := f.row[slot]
	switch v.Kind() {
	case value.Node:
		return v.ID(), true, nil
	case value.Null:
		return 0, false, nil
	}
	return 0, false, fault.Met(fault.TypeError, "InvalidArgumentType", "a pattern has the %s %s where a node has to be", v.Kind(), v.Text())
}

// unlike tells whether a relationship is none of those of trails.
func (f *frame) unlike(rel uint64, trails []plan.Trail) bool {
	for i := range trails {
		v := f.row[trails[i].Slot]
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
	*frame
	types     *types
	direction store.Direction
	next      emit
	target    uint64 // of Into
	failed    error
}

func (b *builder) expand(o *plan.Expand, next emit) emit {
	x := &expansion{Expand: o, frame: b.frame, types: newTypes(o.Types), direction: directions[o.Direction], next: next}
	each, into := x.each, x.into
	if o.Anonymous {
		return b.operator(o.Input, x.anonymously())
	}
	return b.operator(o.Input, func() error {
		from, ok, err := x.nodeIn(o.From)
		if !ok {
			return err
		}
		tokens, ok := x.types.in(x.graph)
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

func (x *expansion) walk(from uint64, d store.Direction, tokens []store.Token, each func(rel, other uint64) bool) error {
	x.failed = nil
	if err := x.graph.Expand(from, d, tokens, each); err != nil {
		return err
	}
	return x.failed
}

func (x *expansion) each(rel, other uint64) bool {
	if len(x.Unlike) > 0 && !x.unlike(rel, x.Unlike) {
		return true
	}
	x.row[x.Relationship] = value.OfRelationshipID(rel)
	x.row[x.To] = value.OfNodeID(other)
	if x.failed = x.tick(); x.failed == nil {
		x.failed = x.pass(x.next)
	}
	return x.failed == nil
}

// nearer is the end with fewer relationships, and how these look from there. The other end is the
// target; false: there is null.
func (x *expansion) nearer(from uint64, tokens []store.Token) (uint64, store.Direction, bool, error) {
	to, ok, err := x.nodeIn(x.To)
	if !ok {
		return 0, 0, false, err
	}
	here, err := x.graph.Degree(from, x.direction, tokens)
	if err != nil {
		return 0, 0, false, err
	}
	there, err := x.graph.Degree(to, reversed(x.direction), tokens)
	if there < here {
		x.target = from
		return to, reversed(x.direction), err == nil, err
	}
	x.target = to
	return from, x.direction, err == nil, err
}

func (x *expansion) into(rel, other uint64) bool {
	if other != x.target || !x.unlike(rel, x.Unlike) {
		x.failed = x.tick()
		return x.failed == nil
	}
	x.row[x.Relationship] = value.OfRelationshipID(rel)
	x.failed = x.pass(x.next)
	return x.failed == nil
}
