package load

import (
	"context"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// checkOrder refuses an order that there is not, or that a node property cannot follow.
func (l *loader) checkOrder(context.Context) error {
	o := &l.manifest.Order
	if _, err := manifest.ParseOrder(string(o.Asked)); err != nil {
		return err
	}
	for _, field := range FieldsOf(l.schema.Node) {
		if o.Asked == manifest.OrderNone || arrays.Spellable(field.Type) {
			continue
		}
		reason := fmt.Sprintf("node property %q of type %s keeps the order of loading", field.Name, field.Type)
		if o.Asked != manifest.OrderAuto {
			return &manifest.OrderError{Order: o.Asked, Reason: "is not possible: " + reason + "; take none"}
		}
		o.Taken, o.Why = manifest.OrderNone, reason
	}
	return nil
}

// reorder gives the vertices the dense ids of the order that was asked for, now that
// their degrees are known. For a moment it holds 24 bytes a vertex more than the load
// does afterwards; OrderBFS and OrderRabbit the adjacency too.
func (l *loader) reorder(ctx context.Context) (err error) {
	o := &l.manifest.Order
	if o.Taken == manifest.OrderNone {
		return nil
	}
	order := l.byDegree()
	o.TopShare = l.topShare(order)
	if o.Asked == manifest.OrderAuto {
		o.Taken, o.Why = chooseOrder(l.manifest.Vertices, o.TopShare)
	}
	switch o.Taken {
	case manifest.OrderNone:
		return nil
	case manifest.OrderBFS, manifest.OrderRabbit:
		if order, err = l.byNeighbors(ctx, order); err != nil {
			return err
		}
	}
	l.permute(order)
	return nil
}

// degree is the number of list entries of a vertex, of both directions.
func (l *loader) degree(dense uint32) uint64 {
	degree := uint64(l.out[dense])
	if l.directed {
		degree += uint64(l.in[dense])
	}
	return degree
}

// byDegree is the vertices by descending degree, ties by dense id.
func (l *loader) byDegree() []uint32 {
	order := ordering.Identity(uint32(l.manifest.Vertices))
	keys := make([]uint64, len(order))
	for v := range keys {
		keys[v] = ^l.degree(uint32(v))
	}
	_, order = new(sorting.Sorter).Sort(keys, order)
	return order
}

// topShare is Ordering.TopShare.
func (l *loader) topShare(byDegree []uint32) float64 {
	var top, all uint64
	for i, v := range byDegree {
		degree := l.degree(v)
		all += degree
		if i < (len(byDegree)+99)/100 {
			top += degree
		}
	}
	return float64(top) / float64(max(all, 1))
}

// permute gives vertex order[i] the dense id i.
func (l *loader) permute(order []uint32) {
	if slices.IsSorted(order) {
		return
	}
	l.loaded = order
	numbers := order
	if l.order != nil {
		numbers = ordering.Pick(l.order, order)
	}
	l.order, l.dense = numbers, ordering.Inverse(numbers, l.ids.len())
	l.out = ordering.Pick(l.out, order)
	if l.directed {
		l.in = ordering.Pick(l.in, order)
	}
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
