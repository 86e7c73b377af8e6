package schedule

import (
	"slices"
	"time"
)

var neugraphSchedule = definition{
	name: "neugraph", needs: Needs{Demand: true, Grid: true, Intervals: true},
	build: func([]float64) decider {
		n := new(NeuGraph)
		return decider{n.Plan, n.rule, 0}
	},
}

// NeuGraph sends the cells of a grid in the order of their destinations, chunk by chunk so that
// all stages are at work, and learns from what that takes: whether to filter out the lists of
// active vertices, and in which order the stages wait for each other least. Ma et al.,
// "NeuGraph: Parallel Deep Neural Network Computation on Large Graphs", ATC'19.
//
// The paper's device has vertex data in parts; ours has all of it, so that what is filtered
// here is edges, and what the grid bounds is which accumulators are in use.
type NeuGraph struct {
	rates rates
	probe probe
	trial trial
	last  []subChunk    // of the last answer
	sent  map[sent]bool // in any answer
}

// sent is a chunk as it has been sent: with all of its lists, or those of active vertices.
type sent struct {
	chunk int
	part  bool
}

// Plan is NeuGraph's Policy.
func (n *NeuGraph) Plan(s State) (loads []Load) {
	n.rates.learn(n.last, s.Took)
	parts := n.parts(s)
	probing := n.trial.rests() && n.probe.turn(parts)
	if n.last = n.pack(s, parts); !probing {
		return n.trial.arrange(s, n.last)
	}
	for _, c := range n.last {
		loads = append(loads, c.loads...)
	}
	return loads
}

// cellPart is what a chunk has in a cell.
type cellPart struct {
	destination int
	load        Load
	bytes       float64 // if all is sent
	valid       float64 // the share of that which active vertices have
}

// mayFilter tells whether there are two ways to send it.
func (c cellPart) mayFilter() bool { return c.valid < 1 }

// sends is what is sent of it, in bytes.
func (c cellPart) sends() float64 {
	if c.load.Part {
		return c.valid * c.bytes
	}
	return c.bytes
}

// parts are what is sent, in the order of the grid, each in the way that is thought to be faster.
func (n *NeuGraph) parts(s State) (all []cellPart) {
	wanted := map[int]bool{}
	for _, i := range s.wanted() {
		wanted[i] = s.Demand == nil || s.Demand[i] > 0
	}
	s.Grid.each(s.Gather, func(destination, i, q int) {
		if !wanted[i] {
			return
		}
		c := cellPart{destination, Load{Chunk: i, Cols: s.Grid.cols[q], Rounds: 1}, float64(s.Grid.size(s, i, q)), 1}
		if s.Demand != nil {
			c.valid = s.share(s.Demand, i)
		}
		c.load.Part = c.mayFilter() && n.rates.filters(c.bytes, c.valid, s.Costs.Byte)
		all = append(all, c)
	})
	return all
}

// subChunk is what is sent at a time: parts of chunks of a cell that share a slot, as far as
// one can tell how large they are.
type subChunk struct {
	destination int
	loads       []Load
	bytes       float64
	warm        bool // nothing of it is looked at for the first time, which takes longer than ever again
}

// pack makes sub-chunks.
func (n *NeuGraph) pack(s State, parts []cellPart) (all []subChunk) {
	if n.sent == nil {
		n.sent = map[sent]bool{}
	}
	for _, c := range parts {
		l, bytes := c.load, c.sends()
		if len(all) == 0 || !all[len(all)-1].takes(l, c.destination, bytes, s.Slot) {
			all = append(all, subChunk{destination: c.destination, warm: true})
		}
		last := &all[len(all)-1]
		l.Group = len(all) - 1
		last.loads, last.bytes = append(last.loads, l), last.bytes+bytes
		last.warm = last.warm && (s.Chunks[l.Chunk].Seen || n.sent[sent{l.Chunk, l.Part}])
	}
	for _, c := range parts {
		n.sent[sent{c.load.Chunk, c.load.Part}] = true
	}
	return all
}

func (c subChunk) takes(l Load, destination int, bytes float64, slot uint64) bool {
	first := c.loads[0]
	return c.destination == destination && first.Cols == l.Cols && first.Part == l.Part && c.bytes+bytes <= float64(slot)
}

// rates are what loads have cost in this run, each by its bytes.
type rates struct{ copied, filtered, linked line }

// filters tells whether only the lists of active vertices are sent of what takes all bytes, from the valid ratio: when
// what that saves on the link, and in bytes at their price (Costs.Byte), takes longer than to filter. The paper's
// device is behind a link; one that reads shared memory in place takes no time for what is sent. What has not been
// measured costs nothing: it is tried. Of more than has been filtered at once, a byte takes what it takes to copy.
// NeuGraph, section 3.2.
func (r rates) filters(all, valid, price float64) bool {
	copies := r.copied.at(all)
	filters := r.filtered.within(valid*all, copies/max(1, all))
	return filters+r.linked.at(valid*all)+valid*all*price <= copies+r.linked.at(all)+all*price
}

// learn takes in what sub-chunks took: more than what is known of earlier iterations. What was cold says nothing of
// what is to come, but of the link.
func (r *rates) learn(sent []subChunk, took []Times) {
	var now rates
	for i, t := range took {
		loads := len(sent[i].loads)
		now.linked.add(t.Transfer, t.Bytes, loads)
		switch {
		case !sent[i].warm:
		case sent[i].loads[0].Part:
			now.filtered.add(t.Read+t.Copy, t.Bytes, loads)
		default:
			now.copied.add(t.Read+t.Copy, t.Bytes, loads)
		}
	}
	r.copied.renew(now.copied)
	r.filtered.renew(now.filtered)
	r.linked.renew(now.linked)
}

// probe has a way measured again that all cells were thought to be slower in, so that the choice can be revised: of one
// cell, in one iteration of some, as long as what whole chunks take beyond their lists is a small part of all that is
// sent.
type probe struct {
	idle  int // iterations in which only one way was taken
	turns int
	sent  float64 // bytes, in all iterations
	spent float64 // bytes that probes have sent beyond lists
}

// probeEvery is after how many iterations the other way is measured again. probeShare bounds what that sends more.
const (
	probeEvery = 4
	probeShare = 1. / 32
)

// turn has one of the parts sent the other way, if it is time. Twice in turn it is the same one: the first look may be
// cold.
func (p *probe) turn(parts []cellPart) bool {
	var may []*cellPart
	filtered := 0
	for i := range parts {
		c := &parts[i]
		p.sent += c.sends()
		if c.mayFilter() {
			may = append(may, c)
			if c.load.Part {
				filtered++
			}
		}
	}
	if len(may) == 0 {
		return false
	}
	if filtered > 0 && filtered < len(may) {
		p.idle = 0
		return false
	}
	if p.idle++; p.idle < probeEvery {
		return false
	}
	c := may[p.turns/2%len(may)]
	more := max(0, c.bytes-c.sends())
	if p.spent+more > probeShare*p.sent {
		return false
	}
	c.load.Part = !c.load.Part
	p.idle, p.turns, p.spent = 0, p.turns+1, p.spent+more
	return true
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

// rests tells whether no order is being measured, so that other loads may come in between.
func (t *trial) rests() bool { return t.step == begun || t.step == settled }

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
