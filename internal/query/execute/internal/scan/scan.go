// Package scan holds the operators that find nodes: all, by label, by id and by an index.
package scan

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
	"github.com/penstock-db/penstock/store"
)

// walk emits a row for each node that it is called with, and keeps the error that ends it.
type walk struct {
	frame  *frame.Frame
	slot   int
	next   frame.Emit
	failed error
}

func (w *walk) each(id uint64) bool {
	w.frame.Row[w.slot] = value.OfNodeID(id)
	if w.failed = w.frame.Tick(); w.failed == nil {
		w.failed = w.frame.Pass(w.next)
	}
	return w.failed == nil
}

// run emits the nodes that find finds; those that it has found before, where they are kept (not nil).
func (w *walk) run(input frame.Input, kept *Kept, find func(each func(id uint64) bool) error) frame.Emit {
	each := w.each
	return input(func() error {
		w.failed = nil
		if kept != nil {
			return kept.run(w, each, find)
		}
		return frame.FirstOf(find(each), w.failed)
	})
}

// AllNodes emits a row for every node.
func AllNodes(f *frame.Frame, input frame.Input, slot int, kept *Kept, next frame.Emit) frame.Emit {
	w := &walk{frame: f, slot: slot, next: next}
	return w.run(input, kept, f.Graph.Nodes)
}

// NodesByLabel emits a row for every node with one of some labels, in the order of ids, and once where it has several.
func NodesByLabel(f *frame.Frame, input frame.Input, slot int, labels []string, kept *Kept,
	next frame.Emit) frame.Emit {
	w, names := &walk{frame: f, slot: slot, next: next}, frame.Names(labels)
	tokens := make([]store.Token, 0, len(labels))
	return w.run(input, kept, func(each func(id uint64) bool) error {
		tokens = tokens[:0]
		for i := range names {
			if token, ok := names[i].Find(f.Graph.Label); ok {
				tokens = append(tokens, token)
			}
		}
		if len(tokens) == 0 {
			return nil
		}
		return f.Graph.NodesWithAny(tokens, 0, math.MaxUint64, each)
	})
}

// NodesByID emits a row for the node whose id an expression gives, or for those of a list.
func NodesByID(f *frame.Frame, input frame.Input, slot int, ids expression.Evaluator, list bool,
	next frame.Emit) frame.Emit {
	one := func(v value.Value) error {
		id, ok := whole(v)
		if !ok || !f.Graph.NodeExists(id) {
			return nil
		}
		f.Row[slot] = value.OfNodeID(id)
		return next()
	}
	return input(func() error {
		v, err := ids()
		if err != nil {
			return err
		}
		if list {
			return eachDistinct(f, v, one)
		}
		return one(v)
	})
}

// eachDistinct calls do for the elements of a list, equal ones once.
func eachDistinct(f *frame.Frame, list value.Value, do func(value.Value) error) error {
	elements, err := expression.Elements(list)
	if err != nil {
		return err
	}
	seen := rows.NewSet(1, f.Budget.Tally("IN"))
	defer seen.Clear()
	for i := range elements {
		fresh, err := seen.Insert(elements[i : i+1])
		if err != nil {
			return err
		}
		if !fresh {
			continue
		}
		if err := do(elements[i]); err != nil {
			return err
		}
	}
	return nil
}

// whole is a number that is an id, as = of an integer sees it.
func whole(v value.Value) (uint64, bool) {
	switch v.Kind() {
	case value.Int:
		return uint64(v.Int()), v.Int() >= 0
	case value.Float:
		id := uint64(max(v.Float(), 0))
		return id, float64(id) == v.Float()
	}
	return 0, false
}
