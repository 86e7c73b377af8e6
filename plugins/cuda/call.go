package cuda

import (
	"context"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/procedure"
)

// call is a procedure made ready for one graph.
type call struct {
	name    string
	args    algorithms.Args
	columns []namedColumn // inputs, then results
	results int           // how many of them are results
	scratch uint64        // in the slab
	bytes   uint64        // of the slab
	slab    driver.Pointer
	newer   bool // the card has results that the arena has not
}

type namedColumn struct {
	name string
	column
}

// compileCall prepares a procedure.
func compileCall(job plugins.Job, task plugins.Task) (c *call, err error) {
	c = &call{}
	scratch, err := procedure.Scratch(task.Procedure, job.Graph)
	if err != nil {
		return c, err
	}
	a, err := algorithms.Lookup(task.Procedure)
	if err != nil {
		return c, plugins.Errorf(plugins.KindUnsupported, "%w", err)
	}
	c = &call{name: task.Procedure, args: task.Args, results: len(a.Result)}
	var room memory.Slab
	for _, wanted := range append(slices.Clone(inputColumns), a.Result...) {
		bytes, err := columnBytes(job, task.Layout, wanted, int(job.Graph.Vertices))
		if err != nil {
			return c, err
		}
		c.columns = append(c.columns, namedColumn{wanted.Name, column{bytes: bytes, at: room.Place(uint64(len(bytes)))}})
	}
	c.scratch = room.Place(scratch)
	c.bytes = room.Bytes
	return c, nil
}

// inputColumns are those that every procedure may read.
var inputColumns = []algorithms.Column{
	{Name: "id", Type: algorithms.Int}, {Name: "out_degree", Type: algorithms.Int},
	{Name: "in_degree", Type: algorithms.Int},
}

func (c *call) plan(graph plugins.Graph) plugins.Plan {
	return plugins.Plan{Directions: procedure.Directions(graph), Fixed: c.bytes, Kernel: "cuda " + c.name}
}

func (c *call) edgeColumns() []string { return nil }

func (c *call) prepare(_ context.Context, s *session) (err error) {
	c.slab, err = s.streams.Computing.Alloc(c.bytes)
	return err
}

func (c *call) free(s *session) error {
	if c.slab == 0 {
		return nil
	}
	return s.streams.Computing.Free(c.slab)
}

// run is Call: the procedure asks the card again and again, so that it is done to its end.
func (s *session) run(ctx context.Context, command plugins.Command) (*stream.Work, error) {
	if err := s.drain(ctx); err != nil { // all chunks are sound
		return nil, err
	}
	known, err := s.card.Procedures()
	if err != nil {
		return nil, err
	}
	letter := s.streams.Mail.Take()
	defer s.streams.Mail.Give(letter)
	var edges uint64
	a, err := s.streams.Timed(s.streams.Computing, func() error {
		job, err := s.call.job(ctx, s)
		if err != nil {
			return err
		}
		job.Kernels, job.Answer = known, memory.BytesOf(letter)
		job.Tell = func(fraction float64) {
			s.emit(plugins.Event{Seq: command.Seq, Fraction: fraction, Resident: s.budget.Used, Peak: s.budget.Peak})
		}
		edges, err = procedure.Run(ctx, s.call.name, job)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.call.newer = true
	a.Finish = func(e *plugins.Event) error {
		e.Edges = edges
		return s.call.publish(ctx, s)
	}
	return a, nil
}

// job is what the procedure works with, once the inputs are on the card.
func (c *call) job(ctx context.Context, s *session) (procedure.Job, error) {
	job := procedure.Job{Stream: s.streams.Computing, Plain: s.card.Plain, Graph: s.job.Graph, Args: c.args,
		Columns: map[string]driver.Pointer{}, Scratch: c.slab + driver.Pointer(c.scratch)}
	for i, column := range c.columns {
		at := c.slab + driver.Pointer(column.at)
		job.Columns[column.name] = at
		if i >= len(c.columns)-c.results {
			continue
		}
		if err := s.streams.CopyIn(ctx, s.streams.Computing, at, column.bytes); err != nil {
			return job, err
		}
	}
	job.IDs = unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(c.columns[0].bytes))), s.job.Graph.Vertices)
	for _, r := range s.chunks.InOrder() {
		job.Chunks = append(job.Chunks, r.Resident)
	}
	return job, nil
}

// publish copies the results to the arena, once.
func (c *call) publish(ctx context.Context, s *session) error {
	if !c.newer {
		return nil
	}
	c.newer = false
	for _, column := range c.columns[len(c.columns)-c.results:] {
		if err := s.streams.CopyOut(ctx, s.streams.Computing, column.bytes, c.slab+driver.Pointer(column.at)); err != nil {
			return err
		}
	}
	return nil
}
