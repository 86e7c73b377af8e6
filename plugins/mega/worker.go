package mega

import (
	"context"
	"math/rand/v2"
	"time"
)

// worker does the work of one partition.
type worker[U any, V Number, E any] struct {
	*Worker[V]
	run     *run[U, V, E]
	part    *partition[E]
	mirrors *mirrors[V]
	context *mirrors[V]
	lefts   *mirrors[V] // nil: left vertices are in one partition each
	rows    []U         // of left vertices
	link    *link[V]    // nil: what is sent is there at once
	begun   bool        // the clock
	meets   bool        // the clock before has ended with a Barrier
	began   time.Time   // to work in it
	edges   uint64      // gone along before it
	order   []int       // of left vertices; nil: they come as they are stored
	source  *rand.PCG   // of Random
	timeline
	report WorkerReport
}

// work does all epochs that there are yet, or those before the run is interrupted.
func (w *worker[U, V, E]) work(ctx context.Context) error {
	if w.link != nil {
		defer w.link.flights.Wait()
	}
	w.began = time.Now()
	for w.Epoch = w.run.from; w.Epoch < w.run.options.Epochs; w.Epoch++ {
		w.at.does(waiting)
		w.at.epoch.Store(int64(w.Epoch))
		if goOn, err := w.run.epochs.begin(w.Epoch, &w.at); !goOn || err != nil {
			return err
		}
		w.Loss = 0
		clear(w.Tally)
		w.shuffle()
		for s, at := range w.run.program.epoch(w.run.batches) {
			if err := w.stage(ctx, s, at.number, at.of); err != nil {
				return err
			}
		}
		w.run.epochs.add(w.Number, w.Epoch, w.Loss, w.Tally, &w.at)
	}
	return nil
}

// stage does a stage of batch b.
func (w *worker[U, V, E]) stage(ctx context.Context, s Stage, b, batches int) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	w.at.does(s.do)
	w.Set = s.set
	from, to := w.part.batch(b, batches)
	shuffled := w.order[len(w.order)*b/batches : len(w.order)*(b+1)/batches]
	switch {
	case s.do == exchange && w.order != nil:
		return w.exchangeWhole(ctx, s.set, shuffled)
	case s.do == exchange:
		return w.exchange(ctx, s.set, from, to)
	case s.do == visit && w.order != nil:
		for _, u := range shuffled {
			w.at.beat()
			w.run.program.Visit(w.Worker, w.row(u))
		}
	case s.do == visit:
		w.visit(from, to, b == 0)
	case s.do == visitRight:
		w.run.right.visit(w.Worker, w.run.program.VisitRight)
	case s.do == look:
		return w.look(ctx)
	case s.do == syncing:
		w.meets = s.meets
		return w.sync(ctx)
	}
	return nil
}

// begin begins a clock where none has begun.
func (w *worker[U, V, E]) begin(ctx context.Context) error {
	if w.begun {
		return nil
	}
	w.at.does(waiting)
	w.at.clock.Store(int64(w.Clock))
	began := time.Now()
	ahead, err := w.run.clocks.begin(w.Clock, w.meets)
	if err != nil {
		return err
	}
	waited := time.Since(began)
	w.report.Waited, w.report.Ahead = w.report.Waited+waited, max(w.report.Ahead, ahead)
	w.timeline.begin(w.Epoch, w.Clock, began, waited)
	pulled := w.report.Traffic.Pulled
	w.context.pull(w.Worker, w.Clock, &w.report.Traffic)
	w.mirrors.pull(w.Worker, w.Clock, &w.report.Traffic)
	if w.lefts != nil {
		w.lefts.pull(w.Worker, w.Clock, &w.report.Traffic)
	}
	if c := w.run.options.Cluster; c.linked() && w.report.Traffic.Pulled > pulled {
		if err := w.sleep(ctx, c.Latency+c.sending(w.report.Traffic.Pulled-pulled)); err != nil {
			return err
		}
	}
	w.did(&w.now.Pull)
	w.begun, w.began, w.edges = true, time.Now(), w.report.Edges
	return nil
}

// pretend takes as long for a clock as the cluster would.
func (w *worker[U, V, E]) pretend(ctx context.Context) error {
	o := w.run.options
	if o.Cluster == (Cluster{}) {
		return nil
	}
	slow := straggler(o.Seed, w.Clock, o.Workers) == w.Number
	return w.sleep(ctx, o.Cluster.rest(time.Since(w.began), w.report.Edges-w.edges, slow))
}

func (w *worker[U, V, E]) sleep(ctx context.Context, d time.Duration) error {
	w.report.Slept += d
	w.at.does(waiting)
	return sleep(ctx, d)
}

// sync ends a clock.
func (w *worker[U, V, E]) sync(ctx context.Context) error {
	if err := w.pretend(ctx); err != nil {
		return err
	}
	w.did(&w.now.Compute)
	pushed := w.report.Traffic.Pushed
	w.context.touch(w.Clock, []uint32{0})
	if settle := w.run.program.Settle; settle != nil {
		w.at.does(settling)
		for _, i := range w.mirrors.touched() {
			w.at.beat()
			settle(w.Worker, i, w.mirrors.row(i))
		}
	}
	flights := w.context.push(w.Worker, w.link != nil, &w.report.Traffic)
	flights = append(flights, w.mirrors.push(w.Worker, w.link != nil, &w.report.Traffic)...)
	if w.lefts != nil {
		flights = append(flights, w.lefts.push(w.Worker, w.link != nil, &w.report.Traffic)...)
	}
	w.at.does(waiting)
	if w.link == nil {
		w.run.clocks.finish(w.Number)
	} else if err := w.link.send(ctx, flights, w.report.Traffic.Pushed-pushed); err != nil {
		return err
	}
	w.did(&w.now.Sync)
	w.end()
	w.Clock++
	w.begun = false
	return nil
}

// checkEvery is how many edges pass between two looks at whether the run was canceled.
const checkEvery = 1 << 16

// exchange goes along a range of edges, those of a set of left vertices.
func (w *worker[U, V, E]) exchange(ctx context.Context, set int, from, to int64) error {
	if from == to {
		return nil
	}
	w.mirrors.expect(to - from)
	if set == every {
		w.mirrors.touch(w.Clock, w.part.targets[from:to])
	}
	checked := from
	for u := w.part.left(from); from < to; u++ {
		end := min(w.part.offsets[u+1], to)
		if from == end {
			continue
		}
		if w.part.scans(set, u) {
			if set != every {
				w.mirrors.touch(w.Clock, w.part.targets[from:end])
			}
			w.along(u, from, end)
		}
		if from = end; from-checked >= checkEvery {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			checked = from
		}
	}
	return nil
}

// exchangeWhole goes along all edges of left vertices, those of a set.
func (w *worker[U, V, E]) exchangeWhole(ctx context.Context, set int, lefts []int) error {
	unchecked := int64(0)
	w.mirrors.expect((w.part.to - w.part.from) / int64(w.run.batches))
	for k, u := range lefts {
		w.fetch(lefts, k)
		from, end := w.part.offsets[u], w.part.offsets[u+1]
		if from == end || !w.part.scans(set, u) {
			continue
		}
		w.mirrors.touch(w.Clock, w.part.targets[from:end])
		w.along(u, from, end)
		if unchecked += end - from; unchecked >= checkEvery {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			unchecked = 0
		}
	}
	return nil
}

// look goes along all edges, none of which changes what travels.
func (w *worker[U, V, E]) look(ctx context.Context) error {
	w.Looks = true
	defer func() { w.Looks = false }()
	checked := w.part.from
	for u := range w.part.size() {
		from, end := w.part.offsets[u], w.part.offsets[u+1]
		if from == end {
			continue
		}
		w.call(u, from, end)
		if end-checked >= checkEvery {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			checked = end
		}
	}
	return nil
}

// along goes along some edges of a left vertex.
func (w *worker[U, V, E]) along(u int, from, end int64) {
	if w.lefts != nil {
		w.lefts.touch(w.Clock, []uint32{uint32(u)})
	}
	w.call(u, from, end)
	w.report.Edges += uint64(end - from)
}

// call has the program do what it does along some edges of a left vertex.
func (w *worker[U, V, E]) call(u int, from, end int64) {
	w.at.beat()
	p, row := w.run.program, w.row(u)
	edges := Edges[V, E]{w.part.targets[from:end], w.part.edges[from:end], w.mirrors.values, p.Right.mirror()}
	if p.Block != nil {
		p.Block(w.Worker, row, edges)
		return
	}
	for i := range edges.Targets {
		p.Exchange(w.Worker, row, edges.Row(i), &edges.Values[i])
	}
}

// row is that of a left vertex.
func (w *worker[U, V, E]) row(u int) []U {
	width := w.run.program.Left.Width()
	return w.rows[u*width:][:width:width]
}

// shuffle draws an order of left vertices, if the program wants one.
func (w *worker[U, V, E]) shuffle() {
	if !w.run.program.Shuffle {
		return
	}
	w.shuffled()
	w.Random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
}

// shuffled has an order to shuffle.
func (w *worker[U, V, E]) shuffled() {
	if w.order != nil {
		return
	}
	w.order = make([]int, w.part.size())
	for u := range w.order {
		w.order[u] = u
	}
}

// visit goes along left vertices: those whose last edge is in the range, and in the first batch those without edges.
func (w *worker[U, V, E]) visit(from, to int64, first bool) {
	for u := range w.part.size() {
		end := w.part.offsets[u+1]
		empty := w.part.offsets[u] == end
		if empty && first || !empty && end > from && end <= to {
			w.at.beat()
			w.run.program.Visit(w.Worker, w.row(u))
		}
	}
}
