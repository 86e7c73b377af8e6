package load

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// checkOrder refuses an order that there is not, or that a node property cannot follow. It returns what is known of the
// order before degrees are.
func checkOrder(asked manifest.Order, properties []arrow.Field) (manifest.Ordering, error) {
	o := manifest.Ordering{Asked: asked, Taken: asked, Why: "as asked"}
	if _, err := manifest.ParseOrder(string(asked)); err != nil {
		return o, err
	}
	for _, field := range properties {
		if asked == manifest.OrderNone || arrays.Spellable(field.Type) {
			continue
		}
		reason := fmt.Sprintf("node property %q of type %s keeps the order of loading", field.Name, field.Type)
		if asked != manifest.OrderAuto {
			return o, &manifest.OrderError{Order: asked, Reason: "is not possible: " + reason + "; take none"}
		}
		o.Taken, o.Why = manifest.OrderNone, reason
	}
	return o, nil
}

// reorder gives the vertices the dense ids of the order that was asked for, now that
// their degrees are known, and completes o. For a moment it holds 24 bytes a vertex more than the load
// does afterwards; OrderBFS and OrderRabbit the adjacency too.
func (l *loader) reorder(ctx context.Context, p *places, o *manifest.Ordering) (*places, error) {
	if o.Taken == manifest.OrderNone {
		return p, nil
	}
	d := &l.vertices.degrees
	order := d.descending()
	o.TopShare = d.topShare(order)
	if o.Asked == manifest.OrderAuto {
		o.Taken, o.Why = chooseOrder(p.count, o.TopShare)
	}
	switch o.Taken {
	case manifest.OrderNone:
		return p, nil
	case manifest.OrderBFS, manifest.OrderRabbit:
		entries, _ := d.entries()
		held, tables := uint64(l.held()), uint64(l.keptBytes(p))
		if err := checkAdjacency(o.Taken, l.budget, p.count, entries, held, tables); err != nil {
			return nil, err
		}
		a, err := adjacency(ctx, l.edges, p, d)
		if err != nil {
			return nil, err
		}
		if order, err = byNeighbors(ctx, o.Taken == manifest.OrderRabbit, a, order); err != nil {
			return nil, err
		}
	}
	if slices.IsSorted(order) {
		return p, nil
	}
	p = p.permuted(order)
	d.permute(order)
	return p, ctx.Err()
}

// OrderMinVertices is below what OrderAuto changes nothing: eight bytes a vertex then
// fit the second-level cache in any order.
const OrderMinVertices = 1 << 16

// OrderMinShare is the TopShare from which on OrderAuto calls a graph skewed. Were all
// degrees equal, it would be 0.01.
const OrderMinShare = 0.1

// chooseOrder is what OrderAuto takes. That ordering by degree pays for large graphs of
// skewed degrees only: Balaji and Lucia, "When is graph reordering an optimization?",
// IISWC 2018.
func chooseOrder(vertices uint64, topShare float64) (manifest.Order, string) {
	if vertices < OrderMinVertices {
		return manifest.OrderNone, fmt.Sprintf("fewer than %d vertices", OrderMinVertices)
	}
	why := fmt.Sprintf("1 %% of the vertices have %.0f %% of the edge ends", 100*topShare)
	if topShare < OrderMinShare {
		return manifest.OrderNone, why
	}
	return manifest.OrderDegree, why
}
