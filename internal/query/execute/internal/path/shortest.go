// Package path holds the operators of paths: it finds shortest ones, and joins the nodes and
// relationships of a row to one.
package path

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expand"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// search is a Shortest at work: breadth first from both ends by turns, from the one whose
// frontier is smaller, until the frontiers meet (Pohl, Bi-directional Search, 1971).
type search struct {
	*plan.Shortest
	*frame.Frame
	types  *frame.Types
	tokens []store.Token
	where  expression.Predicate
	next   frame.Emit
}

// side is what was reached from one end.
type side struct {
	direction store.Direction
	depth     int64
	reached   map[uint64]*reach
	frontier  []uint64
}

// reach is how a node was reached: at which depth, and by which relationships from the nodes
// before.
type reach struct {
	depth int64
	by    []hop
}

type hop struct{ rel, from uint64 }

// Shortest emits a row for a shortest path between two nodes of the row, for all of them, or for the first trails, see
// trails; where, which may be nil, is asked of each relationship.
func Shortest(f *frame.Frame, input frame.Input, o *plan.Shortest, where expression.Predicate,
	next frame.Emit) frame.Emit {
	s := &search{Shortest: o, Frame: f, types: frame.NewTypes(o.Types), where: where, next: next}
	return input(func() error {
		from, ok, err := entity.NodeIn(f, o.From)
		if !ok {
			return err
		}
		to, ok, err := entity.NodeIn(f, o.To)
		if !ok {
			return err
		}
		if from == to && o.Count == 0 {
			if o.Min > 0 {
				return nil
			}
			return s.found(nil)
		}
		if s.tokens, ok = s.types.In(s.Graph); !ok && (from != to || o.Min > 0) {
			return nil
		}
		switch {
		case !ok:
			return s.found(nil)
		case o.Count > 0:
			return s.trails(from, to)
		}
		return s.between(from, to)
	})
}

func newSide(node uint64, d store.Direction) *side {
	return &side{direction: d, reached: map[uint64]*reach{node: {}}, frontier: []uint64{node}}
}

func (s *search) between(from, to uint64) error {
	d := expand.Directions[s.Direction]
	ahead, back := newSide(from, d), newSide(to, expand.Reversed(d))
	held := int64(0)
	defer func() { s.Budget.Release(held) }()
	for s.Max < 0 || ahead.depth+back.depth < s.Max {
		near, far := ahead, back
		if len(back.frontier) < len(ahead.frontier) {
			near, far = back, ahead
		}
		if len(near.frontier) == 0 {
			return nil
		}
		if err := s.advance(near, &held); err != nil {
			return err
		}
		if meeting := near.meets(far); len(meeting) > 0 {
			return s.emitAll(meeting, ahead, back)
		}
	}
	return nil
}

// advance reaches the nodes one relationship further.
func (s *search) advance(a *side, held *int64) error {
	const perNode, perHop = 112, 32 // bytes, about
	last := a.frontier
	a.frontier, a.depth = nil, a.depth+1
	var failed error
	for _, node := range last {
		err := s.Graph.Expand(node, a.direction, s.tokens, func(rel, other uint64) bool {
			r := a.reached[other]
			if r != nil && (r.depth < a.depth || !s.All) {
				return true
			}
			var ok bool
			if ok, failed = s.fulfills(rel); !ok {
				return failed == nil
			}
			if r == nil {
				if failed = s.Budget.Hold(s.Title(), perNode); failed != nil {
					return false
				}
				*held += perNode
				r = &reach{depth: a.depth}
				a.reached[other] = r
				a.frontier = append(a.frontier, other)
			}
			if failed = s.Budget.Hold(s.Title(), perHop); failed != nil {
				return false
			}
			*held += perHop
			r.by = append(r.by, hop{rel, node})
			return true
		})
		if failed != nil || err != nil {
			return frame.FirstOf(failed, err)
		}
		if err := s.Tick(); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) fulfills(rel uint64) (bool, error) {
	if s.where == nil {
		return true, nil
	}
	s.Row[s.Each] = value.OfRelationshipID(rel)
	return s.where()
}

// meets are the nodes of the frontier that the other side has reached last.
func (a *side) meets(other *side) []uint64 {
	var all []uint64
	for _, node := range a.frontier {
		if r := other.reached[node]; r != nil && r.depth == other.depth {
			all = append(all, node)
		}
	}
	return all
}

// emitAll emits a path through each meeting, or all paths. Each shortest path has just one node
// that is as far from its start as the search has come.
func (s *search) emitAll(meeting []uint64, ahead, back *side) error {
	if !s.All {
		meeting = meeting[:1]
	}
	for _, node := range meeting {
		err := ahead.trace(node, nil, func(first []uint64) error {
			start := slices.Clone(first)
			slices.Reverse(start)
			return back.trace(node, nil, func(second []uint64) error {
				return s.found(append(slices.Clip(start), second...))
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// trace calls f with the relationships of each way from a node back to where the side began.
func (a *side) trace(node uint64, path []uint64, f func(path []uint64) error) error {
	by := a.reached[node].by
	if len(by) == 0 {
		return f(path)
	}
	for _, h := range by {
		if err := a.trace(h.from, append(path, h.rel), f); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) found(path []uint64) error {
	if int64(len(path)) < s.Min {
		return nil
	}
	rels := make([]value.Value, len(path))
	for i, rel := range path {
		rels[i] = value.OfRelationshipID(rel)
	}
	s.Row[s.Relationships] = value.OfList(rels)
	if s.Single {
		s.Row[s.Relationships] = rels[0]
	}
	if err := s.Tick(); err != nil {
		return err
	}
	return s.Pass(s.next)
}
