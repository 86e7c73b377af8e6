package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// trail is a VarExpand at work: the relationships from its start to where it is, depth first. No
// relationship is in it twice.
type trail struct {
	*plan.VarExpand
	*frame
	types     *types
	tokens    []store.Token
	direction store.Direction
	where     predicate
	next      emit
	target    uint64 // of Into
	path      []value.Value
	steps     []func(rel, other uint64) bool // by depth
	failed    error
}

func (b *builder) varExpand(o *plan.VarExpand, next emit) emit {
	t := &trail{VarExpand: o, frame: b.frame, types: newTypes(o.Types), direction: directions[o.Direction], next: next}
	t.where = b.predicate(o.Where)
	return b.operator(o.Input, func() error {
		from, ok, err := t.nodeIn(o.From)
		if !ok {
			return err
		}
		if o.Into {
			if t.target, ok, err = t.nodeIn(o.To); !ok {
				return err
			}
		}
		if o.Known {
			return t.along(from)
		}
		if t.tokens, ok = t.types.in(t.graph); !ok && o.Min > 0 {
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
	if err := t.graph.Expand(node, t.direction, t.tokens, t.step(int(depth))); err != nil {
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
	if slices.ContainsFunc(t.path, func(v value.Value) bool { return v.ID() == rel }) || !t.unlike(rel, t.Unlike) {
		return t.tick()
	}
	if ok, err := t.fulfils(r); !ok {
		return err
	}
	t.path = append(t.path, r)
	if err := firstOf(t.tick(), t.hold("a path", stepBytes)); err != nil {
		return err
	}
	defer t.release(stepBytes)
	return t.visit(other)
}

// stepBytes is about what a step of a path takes on the stack while paths go on from it.
const stepBytes = 1 << 10

func (t *trail) fulfils(r value.Value) (bool, error) {
	if t.where == nil {
		return true, nil
	}
	t.row[t.Each] = r
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
		t.row[t.Relationships] = value.OfList(path)
	}
	if !t.Into {
		t.row[t.To] = value.OfNodeID(node)
	}
	return t.pass(t.next)
}

// along goes along the relationships that the row has as a list already.
func (t *trail) along(from uint64) error {
	list, err := elementsOf(t.row[t.Relationships])
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
	t.row[t.To] = value.OfNodeID(node)
	return t.next()
}

// past is the node on the other side of a relationship; false: it does not lead there as the
// pattern wants it.
func (t *trail) past(r value.Value, node uint64) (uint64, bool, error) {
	if r.Kind() != value.Relationship {
		return 0, false, fault.Met(fault.TypeError, "InvalidArgumentType", "a pattern has the %s %s where a relationship has to be", r.Kind(), r.Text())
	}
	start, end, typ, err := t.ends(r.ID())
	if err != nil {
		return 0, false, err
	}
	tokens, ok := t.types.in(t.graph)
	if !ok || len(tokens) > 0 && !slices.Contains(tokens, typ) {
		return 0, false, nil
	}
	if ok, err := t.fulfils(r); !ok {
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
