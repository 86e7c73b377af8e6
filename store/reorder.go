package store

import (
	"context"
	"fmt"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"slices"
)

// checkOrder refuses an order that there is not, or that a node property cannot follow.
func (l *loader) checkOrder(context.Context) error {
	o := &l.manifest.Order
	if _, err := ParseOrder(string(o.Asked)); err != nil {
		return err
	}
	for _, field := range fieldsOf(l.schema.Node) {
		if o.Asked == OrderNone || arrays.Spellable(field.Type) {
			continue
		}
		reason := fmt.Sprintf("node property %q of type %s keeps the order of loading", field.Name, field.Type)
		if o.Asked != OrderAuto {
			return &OrderError{Order: o.Asked, Reason: "is not possible: " + reason + "; take none"}
		}
		o.Taken, o.Why = OrderNone, reason
	}
	return nil
}

// reorder gives the vertices the dense ids of the order that was asked for, now that
// their degrees are known. For a moment it holds 24 bytes a vertex more than the load
// does afterwards; OrderBFS and OrderRabbit the adjacency too.
func (l *loader) reorder(ctx context.Context) (err error) {
	o := &l.manifest.Order
	if o.Taken == OrderNone {
		return nil
	}
	order := l.byDegree()
	o.TopShare = l.topShare(order)
	if o.Asked == OrderAuto {
		o.Taken, o.Why = chooseOrder(l.manifest.Vertices, o.TopShare)
	}
	switch o.Taken {
	case OrderNone:
		return nil
	case OrderBFS, OrderRabbit:
		if order, err = l.byNeighbours(ctx, order); err != nil {
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
	order := identity(uint32(l.manifest.Vertices))
	keys := make([]uint64, len(order))
	for v := range keys {
		keys[v] = ^l.degree(uint32(v))
	}
	_, order = new(sorter).sort(keys, order)
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
		numbers = pick(l.order, order)
	}
	l.order, l.dense = numbers, inverse(numbers, l.ids.len())
	l.out = pick(l.out, order)
	if l.directed {
		l.in = pick(l.in, order)
	}
}

// pick is values[at[0]], values[at[1]], …
func pick(values, at []uint32) []uint32 {
	picked := make([]uint32, len(at))
	for i, from := range at {
		picked[i] = values[from]
	}
	return picked
}
