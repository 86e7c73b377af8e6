package network

import (
	"context"
	"errors"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/blas"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Task is a neural network on a card.
type Task struct {
	card    *card.Card
	streams *stream.Streams
	job     plugins.Job
	network *plugins.Network
	kernels *kernels.Networks
	library *blas.Handle // nil: products are made by a kernel

	graph      *graph
	batch      *graph   // at hand, of passes over batches; nil: there are none
	names      []string // of edge properties
	lists      map[chunk.Direction]*edges
	parameters *buffer
	streamed   *Streamed // passes that are computed piece by piece; nil: none is
	workspace  *buffer   // of the library; nil: there is none
	programs   []*program
	plan       plugins.Plan

	slab   driver.Pointer
	begun  bool // Init has been obeyed
	ready  bool // lists have come
	number int
}

// New makes a network ready. It takes none of the card's memory.
func New(c *card.Card, streams *stream.Streams, job plugins.Job, task plugins.Task, products Products) (
	*Task, error) {
	if task.Network.Halves != nil {
		return nil, unsupported("a network is computed in whole passes, not by halves of its stages")
	}
	t := &Task{card: c, streams: streams, job: job, network: task.Network,
		names: dataflow.EdgeProperties(task.Network.Values), lists: map[chunk.Direction]*edges{},
		graph: &graph{vertices: int(job.Graph.Vertices), inputs: map[string]*input{}, given: map[*dataflow.Value]*buffer{}}}
	if len(t.names) > kernels.MaxEdgeColumns {
		return nil, unsupported("%d edge properties: up to %d", len(t.names), kernels.MaxEdgeColumns)
	}
	whole := task.Network.Grid == nil
	if whole {
		if err := t.openLists(task.Layout); err != nil {
			return nil, err
		}
	}
	if err := t.openNumbers(whole); err != nil {
		return nil, err
	}
	if err := t.openBatch(); err != nil {
		return nil, err
	}
	if !whole {
		if err := t.openGrid(); err != nil {
			return nil, err
		}
	}
	for _, pass := range t.network.Passes {
		of := t.graph
		switch {
		case pass.Batched:
			of = t.batch
		case !whole:
			t.programs = append(t.programs, nil)
			continue
		}
		p, err := newProgram(of, t.network.Values, pass)
		if err != nil {
			return nil, err
		}
		t.programs = append(t.programs, p)
	}
	library, how, err := openLibrary(products)
	if err != nil {
		return nil, err
	}
	if t.library, t.plan.Kernel = library, "cuda network, "+how; library != nil {
		t.workspace = kept(blas.WorkspaceBytes)
	}
	t.layOut()
	return t, nil
}

// openLists makes room for the lists that the network looks at.
func (t *Task) openLists(layout plugins.Layout) error {
	if !neural.LooksAtEdges(dataflow.Order(t.network.Values, batchRoots(t.network, false)...)) {
		return nil
	}
	columns, err := kit.OpenColumns(t.job.Arena, layout, t.graph.vertices)
	if err != nil {
		return err
	}
	directions := []chunk.Direction{chunk.Both}
	if t.job.Graph.Directed {
		directions = []chunk.Direction{chunk.In, chunk.Out}
	}
	for _, d := range directions {
		name := neural.InputOutDegree
		if d == chunk.In {
			name = neural.InputInDegree
		}
		degrees := columns[name].Ints
		if degrees == nil {
			return plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of integers", name)
		}
		e, err := newEdges(degrees, t.names, t.network.SelfLoops)
		if err != nil {
			return err
		}
		t.lists[d] = e
		if d != chunk.Out {
			t.graph.ends[dataflow.AtTarget] = e
		}
		if d != chunk.In {
			t.graph.ends[dataflow.AtSource] = e
		}
	}
	t.plan.Directions = directions
	return nil
}

// openNumbers makes room for parameters, and for inputs that are there as a whole.
func (t *Task) openNumbers(whole bool) error {
	t.parameters = kept(t.network.Parameters.Length)
	at := uint64(0)
	for _, v := range t.network.Values {
		switch v.Op {
		case dataflow.Parameter:
			bytes := 4 * uint64(v.Rows) * uint64(v.Width)
			t.graph.given[v] = &buffer{bytes: bytes, kept: true, at: at, within: t.parameters}
			at += bytes
		case dataflow.Input:
			if !whole {
				continue
			}
			if err := t.graph.open(v, t.network.Inputs); err != nil {
				return err
			}
		}
	}
	if at > t.parameters.bytes {
		return plugins.Errorf(plugins.KindInvalid, "there are fewer parameters than the network has")
	}
	return nil
}

// open makes room for v, if it is an input that is given.
func (g *graph) open(v *dataflow.Value, given []plugins.Tensor) error {
	k := slices.IndexFunc(given, func(in plugins.Tensor) bool { return in.Name == v.Name })
	if v.Op != dataflow.Input || k < 0 || g.inputs[v.Name] != nil {
		return nil
	}
	in, err := newInput(given[k], g.vertices, v.Width)
	if err != nil {
		return err
	}
	in.varies = v.Varies
	g.inputs[v.Name] = in
	return nil
}

// buffers are what a graph takes, but for lists that come by chunks.
func (g *graph) buffers() (all []*buffer) {
	for _, in := range g.inputs {
		all = append(all, in.buffers()...)
	}
	for _, e := range g.ends {
		if g.anew && e != nil {
			all = append(all, e.buffers()...)
		}
	}
	return all
}

// layOut gives everything its place: what passes leave to no other shares one.
func (t *Task) layOut() {
	all := []*buffer{t.parameters}
	if t.workspace != nil {
		all = append(all, t.workspace)
	}
	for _, d := range t.plan.Directions {
		all = append(all, t.lists[d].buffers()...)
	}
	all = append(all, t.graph.buffers()...)
	if t.batch != nil {
		all = append(all, t.batch.buffers()...)
	}
	for _, p := range t.programs {
		if p != nil {
			all = append(all, p.kept...)
		}
	}
	if t.streamed != nil {
		all = append(all, t.streamed.buffers()...)
	}
	var slab memory.Slab
	for _, b := range all {
		b.at = slab.Place(b.bytes)
	}
	end := slab.Bytes
	if t.streamed != nil {
		end = t.streamed.layOut(slab.Bytes)
	}
	for _, p := range t.programs {
		if p == nil {
			continue
		}
		end = max(end, place(p.passing, len(p.steps[1]), slab.Bytes))
	}
	t.plan.Fixed, t.plan.Networks = end, true
	t.plan.Batches, t.plan.Grid = t.batch != nil, t.streamed != nil
}

// Plan is the answer to Compile.
func (t *Task) Plan(plugins.Graph) plugins.Plan { return t.plan }

// EdgeColumns are the properties of edges that the network reads.
func (t *Task) EdgeColumns() []string { return t.names }

// Prepare takes the card's memory, which has been charged.
func (t *Task) Prepare(context.Context) (err error) {
	if t.kernels, err = t.card.Networks(); err == nil {
		t.slab, err = t.streams.Computing.Alloc(t.plan.Fixed)
	}
	if err == nil && t.library != nil {
		err = t.library.Use(t.streams.Computing, t.slab+driver.Pointer(t.workspace.at))
	}
	return err
}

// Publish has nothing to do: passes leave their roots.
func (t *Task) Publish(context.Context) error { return nil }

// Free gives the memory back.
func (t *Task) Free() error {
	err := t.streams.Computing.Free(t.slab)
	if t.library != nil {
		err = errors.Join(err, t.library.Close())
	}
	return err
}

// Pieces is the passes that are computed piece by piece; nil: none is.
func (t *Task) Pieces() *Streamed { return t.streamed }

// Started says whether Init has been obeyed.
func (t *Task) Started() bool { return t.begun }

// timed does something in the computing queue, and tells where the task stands.
func (t *Task) timed(do func() error) (*stream.Work, error) {
	w, err := t.streams.Timed(t.streams.Computing, do)
	if err != nil {
		return nil, err
	}
	number := t.number
	w.Finish = func(e *plugins.Event) error {
		e.Iteration = &plugins.Iteration{Number: number}
		return nil
	}
	return w, nil
}

// Init empties the lists.
func (t *Task) Init(ctx context.Context) (*stream.Work, error) {
	t.begun, t.ready, t.number = true, false, 0
	for _, p := range t.programs {
		if p != nil {
			p.ready = false
		}
	}
	return t.timed(func() error {
		for _, e := range t.lists {
			if err := e.empty(ctx, t.streams, t.slab); err != nil {
				return err
			}
		}
		return nil
	})
}

// Step takes the lists of a chunk.
func (t *Task) Step(c *residency.Chunk) (*stream.Work, error) {
	to := t.lists[c.Direction]
	if to == nil || t.ready {
		return nil, plugins.Errorf(plugins.KindInvalid, "a chunk whose lists have come, or were not asked for")
	}
	if err := c.Await(t.streams.Computing); err != nil {
		return nil, err
	}
	w, err := t.complain(to, func() error {
		return t.kernels.Take(t.streams.Computing, c.At, c.Rows, to.coming(t.slab))
	})
	if err != nil {
		return nil, err
	}
	finish := w.Finish
	w.Finish = func(e *plugins.Event) error {
		e.Edges = c.Edges
		return finish(e)
	}
	return w, nil
}

// complain does something with lists, of which the card may find something wrong.
func (t *Task) complain(with *edges, do func() error) (*stream.Work, error) {
	letter := t.streams.Mail.Take()
	found := memory.BytesOf(letter)[:16]
	w, err := t.streams.Timed(t.streams.Computing, func() error {
		if err := do(); err != nil {
			return err
		}
		return t.streams.Computing.CopyOut(found, t.slab+driver.Pointer(with.wrong.at))
	})
	if err != nil {
		return nil, err
	}
	w.Finish = func(*plugins.Event) error {
		err := complaint(found)
		t.streams.Mail.Give(letter)
		return err
	}
	return w, nil
}

// Apply has all lists come: they are sorted, and the card is given the inputs.
func (t *Task) Apply(ctx context.Context) (*stream.Work, error) {
	if t.ready {
		return nil, plugins.Errorf(plugins.KindInvalid, "all lists have come before")
	}
	t.ready = true
	t.number++
	var works []*stream.Work
	for _, d := range t.plan.Directions {
		w, err := t.complain(t.lists[d], func() error {
			return t.kernels.Complete(t.streams.Computing, t.lists[d].coming(t.slab), t.slab+
				driver.Pointer(t.lists[d].degrees.at))
		})
		if err != nil {
			return nil, err
		}
		works = append(works, w)
	}
	w, err := t.timed(func() error { return t.sendInputs(ctx, false) })
	if err != nil {
		return nil, err
	}
	finish := w.Finish
	w.Finish = func(e *plugins.Event) error {
		for _, each := range works {
			t.streams.Recycle(each.Began, each.Done)
			if err := each.Finish(e); err != nil {
				return err
			}
		}
		return finish(e)
	}
	return w, nil
}

// sendInputs copies the inputs to the card that vary from pass to pass, or the others.
func (t *Task) sendInputs(ctx context.Context, varying bool) error {
	for _, in := range t.graph.inputs {
		if in.varies != varying {
			continue
		}
		rows, err := in.brought(t.job.Arena)
		if err != nil {
			return err
		}
		if err := in.send(ctx, t.streams, t.slab, rows); err != nil {
			return err
		}
	}
	return nil
}

// Pass computes the roots of a pass over the whole graph.
func (t *Task) Pass(ctx context.Context, number int, dropout dataflow.Dropout) (*stream.Work, error) {
	if t.streamed != nil {
		return t.streamed.leaveParameters(ctx, number, dropout)
	}
	if !t.ready {
		return nil, plugins.Errorf(plugins.KindInvalid, "pass %d: lists have not come", number)
	}
	return t.pass(ctx, number, t.job.Graph.Vertices, dropout, func() error { return t.sendInputs(ctx, true) })
}

// IsBatched says whether a pass is over batches.
func (t *Task) IsBatched(number int) bool {
	return number < len(t.network.Passes) && t.network.Passes[number].Batched
}

// pass computes the roots of a pass over so many vertices, once bring has brought what is new.
func (t *Task) pass(ctx context.Context, number int, vertices uint64, dropout dataflow.Dropout, bring func() error) (
	*stream.Work, error) {
	if number >= len(t.programs) {
		return nil, plugins.Errorf(plugins.KindInvalid, "pass %d of %d", number, len(t.programs))
	}
	p := t.programs[number]
	dropout.Off = !p.Drops
	parameters, err := t.job.Arena.Bytes(t.network.Parameters)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "parameters: %w", err)
	}
	r := t.newRun(vertices)
	w, err := t.streams.Timed(t.streams.Computing, func() error {
		to := t.slab + driver.Pointer(t.parameters.at)
		if err := t.streams.CopyIn(ctx, t.streams.Computing, to, parameters); err != nil {
			return err
		}
		if err := bring(); err != nil {
			return err
		}
		if err := p.launch(ctx, t.streams, r, dropout); err != nil {
			return err
		}
		return t.leave(ctx, p.At, p.shown, &r) // before another pass takes its memory
	})
	if err != nil {
		return nil, err
	}
	edges := p.edges()
	w.Finish = func(e *plugins.Event) error {
		e.Edges = edges
		return nil
	}
	return w, nil
}

// leave copies the roots of a pass to where it says.
func (t *Task) leave(ctx context.Context, at arena.Range, roots []shown, r *run) error {
	to, err := t.job.Arena.Bytes(at)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a pass: %w", err)
	}
	for _, root := range roots {
		bytes := 4 * r.count(root.height) * root.width
		if uint64(len(to)) < bytes {
			return plugins.Errorf(plugins.KindInvalid, "the roots of a pass do not fit their range")
		}
		if err := t.streams.CopyOut(ctx, r.stream, to[:bytes], r.at(root.at)); err != nil {
			return err
		}
		to = to[bytes:]
	}
	return nil
}
