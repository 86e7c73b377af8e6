package queue

import (
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/numa"
)

// nodes are those of a machine that has several, which share the chunks among them: a chunk lies on the node whose
// workers cut it.
type nodes struct {
	numa.Machine
	placed []atomic.Bool // by chunk: it has been, or could not be
}

func newNodes(machine numa.Machine, chunks int) *nodes {
	return &nodes{Machine: machine, placed: make([]atomic.Bool, chunks)}
}

// count is 1 where workers and memory are wherever the system likes.
func (n *nodes) count() int { return max(1, len(n.Nodes)) }

// stay keeps a worker on a node.
func (n *nodes) stay(node int) {
	if n.count() > 1 {
		n.Stay(n.Nodes[node].Processors)
	}
}

// place has a chunk in a file lie on a node, once, after a worker has read it: its pages may be in the system's cache
// already, on the node of whoever read them first. Copies need it not: the worker that makes one touches it first.
func (n *nodes) place(number int, view *chunk.Chunk, node int) (q report.QueueReport) {
	if n.count() == 1 || n.placed[number].Swap(true) {
		return q
	}
	record := view.Record()
	defer record.Release()
	for _, column := range record.Columns() {
		if err := n.placeColumn(column.Data(), n.Nodes[node].Number); err != nil {
			q.Unplaced = 1
			return q
		}
	}
	q.Placed = 1
	return q
}

func (n *nodes) placeColumn(column arrow.ArrayData, node int) error {
	for _, memory := range column.Buffers() {
		if memory == nil {
			continue
		}
		if err := n.Place(memory.Bytes(), node); err != nil {
			return err
		}
	}
	for _, child := range column.Children() {
		if err := n.placeColumn(child, node); err != nil {
			return err
		}
	}
	return nil
}

// shares are the units that are still to be cut, by NUMA node. A unit is in the share of the same node in each
// iteration.
type shares struct {
	of    [][]int
	drawn []atomic.Int64
}

// deal divides those of a graph's units that are low among nodes.
func deal(low []int, units, nodes int) *shares {
	s := &shares{of: make([][]int, nodes), drawn: make([]atomic.Int64, nodes)}
	for _, number := range low {
		node := nodeOf(number, units, nodes)
		s.of[node] = append(s.of[node], number)
	}
	return s
}

// nodeOf is the node of a unit, by its number.
func nodeOf(unit, units, nodes int) int { return unit * nodes / units }

// draw takes a unit out of a node's share or, where that is empty, of the next one that is not.
func (s *shares) draw(node int) (number int, ok bool) {
	for i := range s.of {
		n := (node + i) % len(s.of)
		if at := s.drawn[n].Add(1) - 1; at < int64(len(s.of[n])) {
			return s.of[n][at], true
		}
	}
	return 0, false
}
