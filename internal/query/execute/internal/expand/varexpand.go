package expand

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// trail is a VarExpand at work: the relationships from its start to where it is, depth first. No
// relationship is in it twice.
type trail struct {
	*plan.VarExpand
	*frame.Frame
	types     *frame.Types
	tokens    []store.Token
	direction store.Direction
	where     expression.Predicate
	next      frame.Emit
	target    uint64 // of Into
	path      []value.Value
	steps     []func(rel, other uint64) bool // by depth
	failed    error
}

// VarExpand emits a row for each path of relationships from a node; where, which may be nil, is asked
// of each relationship.
func VarExpand(f *frame.Frame, input frame.Input, o *plan.VarExpand, where expression.Predicate,
	next frame.Emit) frame.Emit {
	t := &trail{VarExpand: o, Frame: f, where: where, types: frame.NewTypes(o.Types), direction: Directions[o.Direction],
		next: next}
	return input(func() error {
		from, ok, err := entity.NodeIn(f, o.From)
		if !ok {
			return err
		}
		if o.Into {
			if t.target, ok, err = entity.NodeIn(f, o.To); !ok {
				return err
			}
		}
		if o.Known {
			return t.along(from)
		}
		if t.tokens, ok = t.types.In(t.Graph); !ok && o.Min > 0 {
			return nil
		} else if !ok {
			return t.arrive(from)
		}
		t.path = t.path[:0]
		return t.visit(from)
	})
}

// visit emits the path that leads to a node, if it is long enough, and goes on from there.
func (t *trail) visit(node uint64) error {
	depth := int64(len(t.path))
	if depth >= t.Min {
		if err := t.arrive(node); err != nil {
			return err
		}
	}
	if t.Max >= 0 && depth >= t.Max {
		return nil
	}
	if err := t.Graph.Expand(node, t.direction, t.tokens, t.step(int(depth))); err != nil {
		return err
	}
	failed := t.failed
	t.failed = nil
	return failed
}

// step is what is done with each relationship at a depth; made once for all visits.
func (t *trail) step(depth int) func(rel, other uint64) bool {
	if depth < len(t.steps) {
		return t.steps[depth]
	}
	t.steps = append(t.steps, func(rel, other uint64) bool {
		t.failed = t.follow(rel, other)
		t.path = t.path[:depth]
		return t.failed == nil
	})
	return t.steps[depth]
}

func (t *trail) follow(rel, other uint64) error {
	r := value.OfRelationshipID(rel)
	if slices.ContainsFunc(t.path, func(v value.Value) bool { return v.ID() == rel }) || !unlike(t.Frame, rel, t.Unlike) {
		return t.Tick()
	}
	if ok, err := t.fulfills(r); !ok {
		return err
	}
	t.path = append(t.path, r)
	if err := frame.FirstOf(t.Tick(), t.Budget.Hold("a path", stepBytes)); err != nil {
		return err
	}
	defer t.Budget.Release(stepBytes)
	return t.visit(other)
}

// stepBytes is about what a step of a path takes on the stack while paths go on from it.
const stepBytes = 1 << 10

func (t *trail) fulfills(r value.Value) (bool, error) {
	if t.where == nil {
		return true, nil
	}
	t.Row[t.Each] = r
	return t.where()
}

func (t *trail) arrive(node uint64) error {
	if t.Into && node != t.target {
		return nil
	}
	if !t.Anonymous {
		path := slices.Clone(t.path)
		if t.Reverse {
			slices.Reverse(path)
		}
		t.Row[t.Relationships] = value.OfList(path)
	}
	if !t.Into {
		t.Row[t.To] = value.OfNodeID(node)
	}
	return t.Pass(t.next)
}

// along goes along the relationships that the row has as a list already.
func (t *trail) along(from uint64) error {
	list, err := expression.Elements(t.Row[t.Relationships])
	if err != nil || int64(len(list)) < t.Min || t.Max >= 0 && int64(len(list)) > t.Max {
		return err
	}
	if t.Reverse {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	node := from
	for _, r := range list {
		other, ok, err := t.past(r, node)
		if !ok {
			return err
		}
		node = other
	}
	if t.Into && node != t.target {
		return nil
	}
	t.Row[t.To] = value.OfNodeID(node)
	return t.next()
}

// past is the node on the other side of a relationship; false: it does not lead there as the
// pattern wants it.
func (t *trail) past(r value.Value, node uint64) (uint64, bool, error) {
	if r.Kind() != value.Relationship {
		return 0, false, fault.Met(fault.TypeError, "InvalidArgumentType",
			"a pattern has the %s %s where a relationship has to be", r.Kind(), r.Text())
	}
	start, end, typ, err := t.Ends(r.ID())
	if err != nil {
		return 0, false, err
	}
	tokens, ok := t.types.In(t.Graph)
	if !ok || len(tokens) > 0 && !slices.Contains(tokens, typ) {
		return 0, false, nil
	}
	if ok, err := t.fulfills(r); !ok {
		return 0, false, err
	}
	switch {
	case t.direction != store.In && start == node:
		return end, true, nil
	case t.direction != store.Out && end == node:
		return start, true, nil
	}
	return 0, false, nil
}
