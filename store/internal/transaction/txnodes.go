package transaction

import (
	"math"

	"github.com/penstock-db/penstock/store/internal/base"
)

// Nodes yields all nodes, ascending. Whether it sees changes made meanwhile is open.
func (tx *View) Nodes(yield func(id uint64) bool) error {
	return tx.NodesBetween(0, math.MaxUint64, yield)
}

// NodesBetween is Nodes for ids from from on and below to.
func (tx *View) NodesBetween(from, to uint64, yield func(id uint64) bool) error {
	for id := from; id < to; id++ {
		next, n, changed := tx.State.Nodes.Next(id)
		end := min(tx.Base.Vertices, to)
		if changed {
			end = min(end, next)
		}
		for ; id < end; id++ {
			if !yield(id) {
				return nil
			}
		}
		if !changed || next >= to {
			break
		}
		if id = next; !n.Deleted && !yield(id) {
			return nil
		}
	}
	return tx.ctx.Err()
}

// NodesWith yields all nodes that have a label, ascending. Whether it sees changes made
// meanwhile is open.
func (tx *View) NodesWith(label base.Token, yield func(id uint64) bool) error {
	return tx.NodesWithAny([]base.Token{label}, 0, math.MaxUint64, yield)
}

// NodesWithAny is NodesWith for nodes that have one label or more of several, each once, and ids from from on and below
// to.
func (tx *View) NodesWithAny(labels []base.Token, from, to uint64, yield func(id uint64) bool) error {
	for id := from; id < to; id++ {
		next, n, changed := tx.State.Nodes.Next(id)
		end := min(tx.Base.Vertices, to)
		if changed {
			end = min(end, next)
		}
		if more, err := tx.Base.EachWith(labels, id, end, yield); !more || err != nil {
			return err
		}
		if !changed || next >= to {
			break
		}
		id = next
		for _, label := range labels {
			has, err := tx.recordHasLabel(id, n, label)
			if err != nil {
				return err
			}
			if has && !yield(id) {
				return nil
			}
			if has {
				break
			}
		}
	}
	return tx.ctx.Err()
}
