package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/ast"
	"github.com/penstock-db/penstock/query/plan"
	"github.com/penstock-db/penstock/store"
)

// degree sets how many relationships a node has, less those of the same MATCH.
func (b *builder) degree(o *plan.Degree, next emit) emit {
	f, types, direction := b.frame, newTypes(o.Types), directions[o.Direction]
	return b.operator(o.Input, func() error {
		node, ok, err := f.nodeIn(o.From)
		if !ok {
			return err
		}
		tokens, ok := types.in(f.graph)
		if !ok {
			return nil
		}
		count, err := f.graph.Degree(node, direction, tokens)
		if err != nil {
			return err
		}
		for i := range o.Unlike {
			again, err := f.follows(&o.Unlike[i], node, direction, tokens)
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
		f.row[o.Weight] = value.OfInt(int64(count))
		return next()
	})
}

// follows tells whether the relationship of a trail is one that leads from a node in a direction.
func (f *frame) follows(t *plan.Trail, node uint64, d store.Direction, tokens []store.Token) (bool, error) {
	if !f.mayFollow(t, node, d) {
		return false, nil
	}
	start, end, typ, err := f.ends(f.row[t.Slot].ID())
	if err != nil || len(tokens) > 0 && !slices.Contains(tokens, typ) {
		return false, err
	}
	return d != store.In && start == node || d != store.Out && end == node, nil
}

// mayFollow decides by the ends that the pattern gives, without asking the graph.
func (f *frame) mayFollow(t *plan.Trail, node uint64, d store.Direction) bool {
	atFrom, atTo := f.row[t.From].ID() == node, f.row[t.To].ID() == node
	if t.Direction == ast.Either || d == store.Both {
		return atFrom || atTo
	}
	if (t.Direction == ast.Outgoing) == (d == store.Out) {
		return atFrom
	}
	return atTo
}
