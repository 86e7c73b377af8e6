package mega

import (
	"unsafe"
)

// Explanation is what a run will be, before it is: the cut by the engine's own rules, and what follows from it. What
// travels is at most so much; without slack it is just that, where every edge that may change a row does.
type Explanation struct {
	Workers []Forecast
	Left    Side
	Right   Side
	Batches int // of a MiniBatch
	Clocks  int // of an epoch
	// Beyond is how many epochs workers may have begun, by their slack, behind one that Program.Done finds to be the last:
	// the run ends with them. Of an asynchronous run Done ends nothing.
	Beyond int
	Kept   uint64 // bytes that Course.Save writes
}

// Forecast is what one worker will have and do.
type Forecast struct {
	Left, Right Side
	Edges       uint64  // of its partition
	Scanned     uint64  // that it goes along in an epoch
	Begin       uint64  // bytes that it pulls before its first clock
	Epoch       Traffic // in an epoch: what its clocks push, and what is pulled because of clocks of the epoch
	Synchronous Traffic // the same without slack
	Last        uint64  // of what is pulled, what the last clock has changed: behind the last epoch nobody pulls that
	Clock       Traffic // in any one clock, at the most
	Memory      Memory
}

// Run is what the worker exchanges in a run of so many epochs.
func (f Forecast) Run(epochs int) Traffic {
	return Traffic{Pushed: uint64(epochs) * f.Epoch.Pushed, Pulled: f.Begin + uint64(epochs)*f.Epoch.Pulled - f.Last}
}

// Memory is bytes that a worker has for itself. What a program allocates beside rows is not among them.
type Memory struct {
	Edges   uint64 // with their targets, and with left vertices' offsets, numbers and order
	Left    uint64 // rows of left vertices, where these are in one partition each
	Masters uint64 // rows, versions and owners, of both sides and the context
	Mirrors uint64 // rows, and what they were pulled as
	Sync    uint64 // to find out what has changed and to send it, at the most
}

// All is the sum.
func (m Memory) All() uint64 { return m.Edges + m.Left + m.Masters + m.Mirrors + m.Sync }

// Explain says what Run will do with the program, a graph of the same edges, whatever these have, and options. It calls
// no function of the program but those of Keeps, and takes the graph's Targets for itself. It goes along all edges of
// an epoch once, and has 10 bytes a mirror, and 14 a row.
//
// An edge changes rows if changes says so, of edges as the graph has them; nil: each does.
//
// Errors: *Error, as of Start.
func Explain[U any, V Number, E, G any](p *Program[U, V, E], g *Graph[G], o Options, changes func(*G) bool) (
	*Explanation, error) {
	o.Workers = max(o.Workers, 1)
	if err := check(p, g, o); err != nil {
		return nil, err
	}
	parts := divide(g, o.Cut, o.Workers)
	owner := owners(parts, g.Rights)
	all := &account{workers: make([]exchanged, o.Workers), now: 1}
	for k := 1; k < o.Workers; k++ {
		all.workers[k].far = bytesOf[V](p.Context.Shared)
	}
	right := all.flow(bytesOf[V](p.Right.Shared), mirrorsOf(parts), owner)
	var left *flow
	var leftOwner []uint16
	if o.Cut.Splits() {
		leftOwner = leftOwners(parts, g.Lefts())
		left = all.flow(bytesOf[V](p.Left.Shared), leftsOf(parts), leftOwner)
	}
	e := &Explanation{Workers: make([]Forecast, o.Workers), Batches: o.batches(parts[0].most)}
	e.Clocks = p.clocks(e.Batches)
	if p.Done != nil && o.Slack != Asynchronous {
		e.Beyond = p.lag(o.Slack, e.Batches)
	}
	scanned := goAlong(p, parts, e.Batches, left, right, changes)
	lefts, rights := wholeSides(parts), sidesOf(mirrorsOf(parts), owner)
	if left != nil {
		lefts = sidesOf(leftsOf(parts), leftOwner)
	}
	for k := range e.Workers {
		f := &e.Workers[k]
		f.Left, f.Right = lefts[k], rights[k]
		f.Edges, f.Scanned = uint64(parts[k].to-parts[k].from), scanned[k]
		w := all.workers[k]
		f.Begin, f.Epoch, f.Synchronous, f.Last, f.Clock = w.far, w.epoch, w.epoch, w.last, w.most
		if o.Slack != 0 { // who is behind may pull what the last clock has changed
			f.Epoch.Pulled, f.Last = min(w.epoch.Pulled+w.again, uint64(e.Clocks)*w.far), 0
		}
		f.Memory = memory(p, parts[k], k, owner, leftOwner)
		e.Left.add(f.Left)
		e.Right.add(f.Right)
	}
	e.Kept = kept(p, parts, g, o)
	return e, nil
}

// goAlong has flows count what an epoch changes, and says how many edges each worker goes along.
func goAlong[U any, V Number, E, G any](p *Program[U, V, E], parts []*partition[G], batches int, left, right *flow,
	changes func(*G) bool) (scanned []uint64) {
	scanned = make([]uint64, len(parts))
	drawn := p.Shuffle && batches > 1 // which clock an edge is in, nobody knows
	if drawn {
		for s := range p.epoch(batches) {
			if s.do == exchange {
				right.any++
			}
		}
	}
	for s, at := range p.epoch(batches) {
		switch {
		case s.do == syncing:
			right.sync(bytesOf[V](p.Context.Shared))
		case s.do == exchange && drawn && at.number > 0:
		case s.do == exchange:
			if drawn {
				at.of = 1
			}
			for k, part := range parts {
				from, to := part.batch(at.number, at.of)
				for u := part.left(from); from < to; u++ {
					end := min(part.offsets[u+1], to)
					if from < end && part.scans(s.set, u) {
						scanned[k] += uint64(end - from)
						changed(part, k, u, from, end, left, right, changes)
					}
					from = end
				}
			}
		}
	}
	return scanned
}

// changed has flows count what some edges of a left vertex change.
func changed[G any](part *partition[G], worker, u int, from, end int64, left, right *flow, changes func(*G) bool) {
	some := false
	for i := from; i < end; i++ {
		if changes == nil || changes(&part.edges[i]) {
			right.change(worker, part.targets[i])
			some = true
		}
	}
	if some && left != nil {
		left.change(worker, uint32(u))
	}
}

// bytesOf is what so many values take.
func bytesOf[T any](values int) uint64 { return uint64(values) * uint64(unsafe.Sizeof(*new(T))) }

// What each has beside its values: a left vertex an offset, and where a cut splits or the order is drawn a number of
// its own; an edge its target; a master its version, its owner and whether it travels; a mirror its master, its place
// among those of that owner, and the version and clock in which it last changed.
const (
	offsetBytes = 8
	numberBytes = 4
	orderBytes  = 8
	targetBytes = 4
	masterBytes = 8 + 2 + 1
	mirrorBytes = 4 + 4 + 8 + 4
)

// memory is what a worker will have.
func memory[U any, V Number, E, G any](p *Program[U, V, E], part *partition[G], worker int, owner, leftOwner []uint16) (
	m Memory) {
	size, edges := uint64(part.size()), uint64(part.to-part.from)
	m.Edges = edges*(targetBytes+bytesOf[E](1)) + size*offsetBytes
	if p.Shuffle {
		m.Edges += size * orderBytes
	}
	side := func(rows Rows, owner []uint16, mirrors int) {
		masters := uint64(0)
		for _, o := range owner {
			if int(o) == worker {
				masters++
			}
		}
		n, shared := uint64(mirrors), bytesOf[V](rows.Shared)
		m.Masters += masters * (bytesOf[V](rows.master()) + masterBytes)
		m.Mirrors += n * (bytesOf[V](rows.mirror()) + shared + mirrorBytes)
		// which rows were touched, and which of them are sent, in slices that grow; all of them; and their changes
		m.Sync += n * (2*numberBytes + 2*numberBytes + numberBytes + numberBytes + shared)
	}
	side(p.Right, owner, len(part.mirrors))
	side(p.Context, []uint16{0}, 1)
	if leftOwner != nil {
		m.Edges += size * numberBytes
		side(p.Left, leftOwner, len(part.lefts))
	} else {
		m.Left = size * bytesOf[U](p.Left.Width())
	}
	return m
}

// kept is how many bytes Course.Save writes: part by part, as run.passCommon and run.passWorkers have them.
func kept[U any, V Number, E, G any](p *Program[U, V, E], parts []*partition[G], g *Graph[G], o Options) uint64 {
	const length = 8
	all := uint64(0)
	part := func(bytes uint64) { all += length + bytes }
	part(bytesOf[uint64](headWidth))
	part(bytesOf[float64](o.Epochs))
	if o.Cut.Splits() {
		part(0)
		part(bytesOf[V](g.Lefts() * p.Left.master()))
	} else {
		part(bytesOf[U](g.Lefts() * p.Left.Width()))
	}
	part(bytesOf[V](g.Rights * p.Right.master()))
	part(bytesOf[V](p.Context.master()))
	if p.Keeps.All != nil {
		p.Keeps.All(func(own []byte) { part(uint64(len(own))) })
	}
	for _, each := range parts {
		for _, bytes := range aloneBytes(p, each, o.Cut) {
			part(uint64(bytes))
		}
	}
	return all
}
