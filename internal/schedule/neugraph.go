package schedule

import (
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
)

var _ = register(definition{
	name: "neugraph", place: 3, needs: Needs{Demand: true, Grid: true},
	build: func([]float64) decider {
		n := new(NeuGraph)
		return decider{n.Plan, n.rule, 0}
	},
})

// NeuGraph sends the cells of a grid in the order of their destinations, chunk by chunk so that
// all stages are at work, and learns from what that takes: whether to filter out the lists of
// active vertices, and in which order the stages wait for each other least. Ma et al.,
// "NeuGraph: Parallel Deep Neural Network Computation on Large Graphs", ATC'19.
//
// The paper's device has vertex data in parts; ours has all of it, so that what is filtered
// here is edges, and what the grid bounds is which accumulators are in use.
type NeuGraph struct {
	grid  grid
	rates rates
	trial trial
}

// Plan is NeuGraph's Policy.
func (n *NeuGraph) Plan(s State) []Load {
	if n.grid.rows == nil {
		n.grid = newGrid(s)
	}
	n.rates.learn(n.trial.first, s.Took)
	return n.trial.arrange(s, n.subChunks(s))
}

// subChunk is what is sent at a time: parts of chunks of a cell that share a slot, as far as
// one can tell how large they are.
type subChunk struct {
	destination int
	loads       []Load
	bytes       float64
}

func (n *NeuGraph) subChunks(s State) (all []subChunk) {
	wanted := map[int]bool{}
	for _, i := range s.wanted() {
		wanted[i] = s.Demand == nil || s.Demand[i] > 0
	}
	n.grid.each(s.Gather, func(destination, i int, cols chunk.Interval) {
		if !wanted[i] {
			return
		}
		l := Load{Chunk: i, Part: n.filters(s, i), Cols: cols, Rounds: 1}
		bytes := float64(s.Chunks[i].Bytes) / float64(len(n.grid.cols))
		if l.Part {
			bytes *= s.share(s.Demand, i)
		}
		if len(all) == 0 || !all[len(all)-1].takes(l, destination, bytes, s.Slot) {
			all = append(all, subChunk{destination: destination})
		}
		last := &all[len(all)-1]
		l.Group = len(all) - 1
		last.loads, last.bytes = append(last.loads, l), last.bytes+bytes
	})
	return all
}

func (c subChunk) takes(l Load, destination int, bytes float64, slot uint64) bool {
	first := c.loads[0]
	return c.destination == destination && first.Cols == l.Cols && first.Part == l.Part && c.bytes+bytes <= float64(slot)
}

// filters tells whether only the lists of active vertices are sent, from the valid ratio: when
// what that saves on the link takes longer than to filter. NeuGraph, section 3.2.
func (n *NeuGraph) filters(s State, i int) bool {
	if s.Demand == nil {
		return false
	}
	all, valid := float64(s.Chunks[i].Bytes)/float64(len(n.grid.cols)), s.share(s.Demand, i)
	r := n.rates
	return valid < 1 && r.filtered.at(valid*all)+r.linked.at(valid*all) <= r.copied.at(all)+r.linked.at(all)
}

// rates are what loads have cost in this run, each by its bytes.
type rates struct{ copied, filtered, linked line }

func (r *rates) learn(sent []subChunk, took []Times) {
	r.copied.fade()
	r.filtered.fade()
	r.linked.fade()
	for i, t := range took {
		of, loads := &r.copied, len(sent[i].loads)
		if sent[i].loads[0].Part {
			of = &r.filtered
		}
		of.add(t.Read+t.Copy, t.Bytes, loads)
		r.linked.add(t.Transfer, t.Bytes, loads)
	}
}

// trial looks for a better order of sub-chunks that are sent again and again: it takes their
// times, the second time, when all have been looked at once; improves the order by simulation;
// and goes back to the first if the next iteration is not faster than that. NeuGraph, section 3.3.
type trial struct {
	first []subChunk // in the order of the grid
	order []int
	step  step
	// An iteration in the order of the grid, and in the one that was found.
	simulated, took change
}

type change struct{ before, after time.Duration }

type step uint8

const (
	begun step = iota
	profiled
	tried
	settled
)

func (t *trial) arrange(s State, chunks []subChunk) (loads []Load) {
	if slices.EqualFunc(chunks, t.first, func(a, b subChunk) bool { return slices.Equal(a.loads, b.loads) }) {
		t.advance(s)
	} else {
		*t = trial{first: chunks, order: ascending(len(chunks))}
	}
	for _, i := range t.order {
		loads = append(loads, t.first[i].loads...)
	}
	return loads
}

func (t *trial) advance(s State) {
	switch {
	case t.step == settled || !s.AnyOrder || len(s.Took) == 0:
	case t.step == begun:
		t.step = profiled
	case t.step == profiled:
		t.took.before, t.step = s.Pass, tried
		t.improve(s)
	case t.step == tried:
		t.took.after, t.step = s.Pass, settled
		if !t.kept() {
			t.order = ascending(len(t.first))
		}
	}
}

// improve finds an order by the times of the last iteration, which was in that of the grid.
func (t *trial) improve(s State) {
	destinations, took := make([]int, len(t.first)), make([]Times, len(t.first))
	copy(took, s.Took) // the last ones may have been empty
	for i, c := range t.first {
		destinations[i] = c.destination
	}
	t.simulated.before = s.Pipeline.Simulate(took, t.order)
	t.order = s.Pipeline.improve(took, t.order, destinations)
	t.simulated.after = s.Pipeline.Simulate(took, t.order)
}

// kept tells whether the order that was found is the better one.
func (t *trial) kept() bool { return t.took.after < t.took.before }

func ascending(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
