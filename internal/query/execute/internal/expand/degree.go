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

// counted is a Degree at work.
type counted struct {
	*plan.Degree
	*frame.Frame
	types     *frame.Types
	direction store.Direction
	known     []uint32 // degree + 1 of nodes that were asked for; nil: not yet worth it
	calls     uint64
	nodes     uint64
}

// Degree sets how many relationships a node has, less those of the same MATCH.
func Degree(f *frame.Frame, input frame.Input, o *plan.Degree, next frame.Emit) frame.Emit {
	c := &counted{Degree: o, Frame: f, types: frame.NewTypes(o.Types), direction: Directions[o.Direction]}
	run := input(func() error {
		node, ok, err := entity.NodeIn(f, o.From)
		if !ok {
			return err
		}
		tokens, ok := c.types.In(c.Graph)
		if !ok {
			return nil
		}
		count, err := c.of(node, tokens)
		if err != nil {
			return err
		}
		for i := range o.Unlike {
			again, err := c.follows(&o.Unlike[i], node)
			if err != nil {
				return err
			}
			if again {
				count--
			}
		}
		if count == 0 {
			return nil
		}
		c.Row[o.Weight] = value.OfInt(int64(count))
		return next()
	})
	return func() error {
		defer c.forget()
		c.nodes = c.Graph.NodeCount()
		return run()
	}
}

// of is the degree of a node. Paths that come together ask for the same ones again and again: where
// there are many it is remembered, if nothing is changed meanwhile.
func (c *counted) of(node uint64, tokens []store.Token) (uint64, error) {
	if node < uint64(len(c.known)) && c.known[node] > 0 {
		return uint64(c.known[node] - 1), nil
	}
	count, err := c.Graph.Degree(node, c.direction, tokens)
	if err != nil {
		return 0, err
	}
	const many = 8 // an eighth of the nodes
	if c.calls++; c.calls == c.nodes/many && !c.Writes && c.Budget.Hold("degrees", 4*int64(c.nodes)) == nil {
		c.known = make([]uint32, c.nodes)
	}
	if node < uint64(len(c.known)) && count < 1<<32-1 {
		c.known[node] = uint32(count + 1)
	}
	return count, nil
}

func (c *counted) forget() {
	c.Budget.Release(4 * int64(len(c.known)))
	c.known, c.calls = nil, 0
}

// follows tells whether the relationship of a trail is one that is counted at a node. Where the
// pattern says which end is which, and of what type it is, the graph is not asked.
func (c *counted) follows(t *plan.Trail, node uint64) (bool, error) {
	start, end := c.Row[t.From].ID(), c.Row[t.To].ID()
	if start != node && end != node {
		return false, nil
	}
	if t.Direction == ast.Incoming {
		start, end = end, start
	}
	if !c.typeKnown(t) || t.Direction == ast.Either && c.direction != store.Both {
		var typ store.Token
		var err error
		start, end, typ, err = c.Ends(c.Row[t.Slot].ID())
		if err != nil || len(c.types.Known()) > 0 && !slices.Contains(c.types.Known(), typ) {
			return false, err
		}
	}
	return c.direction != store.In && start == node || c.direction != store.Out && end == node, nil
}

// typeKnown tells whether the relationship of a trail is of a type that is counted, whichever of
// its types it has.
func (c *counted) typeKnown(t *plan.Trail) bool {
	if len(c.Types) == 0 {
		return true
	}
	return len(t.Types) > 0 && !slices.ContainsFunc(t.Types,
		func(typ string) bool { return !slices.Contains(c.Types, typ) })
}
