// Package call runs a procedure (package procedure) on a card: an algorithm that is no vertex program.
//
//	New      task ──▶ columns in the arena, one slab with scratch
//	Prepare  the slab, of the card's memory
//	Run      inputs ──▶ card, all chunks ──procedure──▶ results
//	Publish  results ──▶ arena, once
package call

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/structure"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/columns"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/procedure"
)

// Call is a procedure made ready for one graph.
type Call struct {
	card    *card.Card
	streams *stream.Streams
	graph   plugins.Graph

	name    string
	args    algorithms.Args
	columns []columns.Column // inputs, then results
	results int              // how many of them are results
	scratch uint64           // in the slab
	bytes   uint64           // of the slab
	slab    driver.Pointer
	newer   bool // the card has results that the arena has not
}

// New prepares a procedure.
func New(c *card.Card, streams *stream.Streams, job plugins.Job, task plugins.Task) (*Call, error) {
	scratch, err := procedure.Scratch(task.Procedure, job.Graph)
	if err != nil {
		return nil, err
	}
	a, err := catalog.Lookup(task.Procedure)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindUnsupported, "%w", err)
	}
	if names := a.Procedure.EdgeColumns(task.Args); len(names) > 0 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "%s by the edge property %s: procedures of this device read no "+
			"edge properties: run it on the device cpu", a.Name, names[0])
	}
	if most := structure.MaxDegree(task.Args); most < math.MaxInt64 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "%s with maxDegree=%d: this device leaves no vertices out: run "+
			"it on the device cpu", a.Name, most)
	}
	made := &Call{card: c, streams: streams, graph: job.Graph, name: task.Procedure, args: task.Args,
		results: len(a.Result)}
	var slab memory.Slab
	for _, wanted := range append(slices.Clone(inputs), a.Result...) {
		column, err := columns.Find(job, task.Layout, wanted, int(job.Graph.Vertices))
		if err != nil {
			return nil, err
		}
		column.At = slab.Place(uint64(len(column.Bytes)))
		made.columns = append(made.columns, column)
	}
	made.scratch = slab.Place(scratch)
	made.bytes = slab.Bytes
	return made, nil
}

// inputs are the columns that every procedure may read.
var inputs = []algorithms.Column{
	{Name: "id", Type: algorithms.Int}, {Name: "out_degree", Type: algorithms.Int},
	{Name: "in_degree", Type: algorithms.Int},
}

// Plan is the answer to Compile.
func (c *Call) Plan(graph plugins.Graph) plugins.Plan {
	return plugins.Plan{Directions: procedure.Directions(graph), Fixed: c.bytes, Kernel: "cuda " + c.name}
}

// EdgeColumns are those that kernels read: none.
func (c *Call) EdgeColumns() []string { return nil }

// Prepare takes the card's memory, which has been charged.
func (c *Call) Prepare(context.Context) (err error) {
	c.slab, err = c.streams.Computing.Alloc(c.bytes)
	return err
}

// Free gives it back.
func (c *Call) Free() error {
	if c.slab == 0 {
		return nil
	}
	return c.streams.Computing.Free(c.slab)
}

// Run computes the procedure on all chunks, which are sound. It asks the card again and again, so that it is done to
// its end; tell hears how far it is.
func (c *Call) Run(ctx context.Context, chunks []*residency.Chunk, tell func(fraction float64)) (*stream.Work, error) {
	known, err := c.card.Procedures()
	if err != nil {
		return nil, err
	}
	letter := c.streams.Mail.Take()
	defer c.streams.Mail.Give(letter)
	var edges uint64
	w, err := c.streams.Timed(c.streams.Computing, func() error {
		job, err := c.job(ctx, chunks)
		if err != nil {
			return err
		}
		job.Kernels, job.Answer, job.Tell = known, memory.BytesOf(letter), tell
		edges, err = procedure.Run(ctx, c.name, job)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.newer = true
	w.Finish = func(e *plugins.Event) error {
		e.Edges = edges
		return c.Publish(ctx)
	}
	return w, nil
}

// job is what the procedure works with, once the inputs are on the card.
func (c *Call) job(ctx context.Context, chunks []*residency.Chunk) (procedure.Job, error) {
	job := procedure.Job{Stream: c.streams.Computing, Plain: c.card.Plain, Graph: c.graph, Args: c.args,
		Columns: map[string]driver.Pointer{}, Scratch: c.slab + driver.Pointer(c.scratch)}
	for i, column := range c.columns {
		at := c.slab + driver.Pointer(column.At)
		job.Columns[column.Name] = at
		if i >= len(c.columns)-c.results {
			continue
		}
		if err := c.streams.CopyIn(ctx, c.streams.Computing, at, column.Bytes); err != nil {
			return job, err
		}
	}
	job.IDs = unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(c.columns[0].Bytes))), c.graph.Vertices)
	for _, r := range chunks {
		job.Chunks = append(job.Chunks, r.Resident)
	}
	return job, nil
}

// Publish copies the results to the arena, once.
func (c *Call) Publish(ctx context.Context) error {
	if !c.newer {
		return nil
	}
	c.newer = false
	for _, column := range c.columns[len(c.columns)-c.results:] {
		at := c.slab + driver.Pointer(column.At)
		if err := c.streams.CopyOut(ctx, c.streams.Computing, column.Bytes, at); err != nil {
			return err
		}
	}
	return nil
}
