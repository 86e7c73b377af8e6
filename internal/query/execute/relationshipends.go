package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// relationshipEnds gives the nodes of a relationship that the row has; in a pattern without
// direction first one way, then the other.
func (b *builder) relationshipEnds(o *plan.RelationshipEnds, next emit) emit {
	f, types, direction := b.frame, newTypes(o.Types), directions[o.Direction]
	return b.operator(o.Input, func() error {
		rel := f.row[o.Relationship]
		if rel.IsNull() {
			return nil
		}
		if rel.Kind() != value.Relationship {
			return fault.Met(fault.TypeError, "InvalidArgumentType", "a pattern has the %s %s where a relationship has to be", rel.Kind(), rel.Text())
		}
		start, end, typ, err := f.ends(rel.ID())
		if err != nil {
			return err
		}
		if tokens, ok := types.in(f.graph); !ok || len(tokens) > 0 && !slices.Contains(tokens, typ) || !f.unlike(rel.ID(), o.Unlike) {
			return nil
		}
		if direction != store.In {
			if err := f.between(o, start, end, next); err != nil {
				return err
			}
		}
		if direction == store.In || direction == store.Both && start != end {
			return f.between(o, end, start, next)
		}
		return nil
	})
}

func (f *frame) between(o *plan.RelationshipEnds, from, to uint64, next emit) error {
	if !f.place(o.From, o.FromKnown, from) || !f.place(o.To, o.ToKnown || o.From == o.To, to) {
		return nil
	}
	return next()
}

// place puts a node into its slot; where that has one already, it tells whether it is the same.
func (f *frame) place(slot int, known bool, node uint64) bool {
	if known {
		v := f.row[slot]
		return v.Kind() == value.Node && v.ID() == node
	}
	f.row[slot] = value.OfNodeID(node)
	return true
}

// ends of a relationship, and its type.
type ends struct {
	start, end uint64
	typ        store.Token
}

// ends asks the graph; what the run has deleted is still known.
func (f *frame) ends(rel uint64) (start, end uint64, typ store.Token, err error) {
	if e, ok := f.deleted[rel]; ok {
		return e.start, e.end, e.typ, nil
	}
	return f.graph.Ends(rel)
}
