// Package procedures has the algorithms that are no vertex programs: each reads all resident
// chunks and writes result columns. A procedure is a package below this one, which enters
// itself into the table (Register); the device imports it.
//
//	New(job, task) ──table──▶ Procedure, plan with its memory
//	Procedure.Call(chunks) ──▶ result columns
//
// Where the chunks do not fit together it has the streamed form of a procedure, which it drives pass by pass
// (passes.go).
package procedures

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Procedure is an algorithm that is no vertex program, made ready for one graph.
type Procedure interface {
	// Scratch is what call will allocate, in bytes, however the chunks are cut.
	Scratch() uint64
	// Call computes the result columns from all chunks and returns how many edges it
	// has looked at.
	Call(ctx context.Context, chunks []*csr.Chunk, tell func(fraction float64)) (uint64, error)
}

// Build makes a procedure ready.
type Build func(Input) (Procedure, error)

// table has the procedures by the names of their algorithms.
var table = map[string]Build{}

// Register enters a procedure into the table; each does so when the program begins.
func Register(name string, b Build) { table[name] = b }

// Names are those of the catalog's algorithms.
func Names() []string { return slices.Sorted(maps.Keys(table)) }

// ReadsRows tells whether a procedure may be given vectors of vertices, as the catalog has it: rows that it only reads.
func ReadsRows(name string) bool {
	a, err := catalog.Lookup(name)
	return err == nil && a.Procedure != nil && slices.ContainsFunc(a.Params, func(p algorithms.Param) bool {
		return p.Type == algorithms.ParamVectors
	})
}

// edgeless tells whether a procedure reads no chunks, as the catalog has it.
func edgeless(name string) bool {
	a, err := catalog.Lookup(name)
	return err == nil && a.Procedure != nil && a.Procedure.Edgeless
}

// EdgeColumns are the edge properties that a procedure reads, as the catalog has it; its chunks have Weights of these.
func EdgeColumns(task plugins.Task) []string {
	a, err := catalog.Lookup(task.Procedure)
	if err != nil || a.Procedure == nil || a.Procedure.EdgeColumns == nil {
		return nil
	}
	return a.Procedure.EdgeColumns(task.Args)
}

// Input is what every procedure works with.
type Input struct {
	Graph   plugins.Graph
	N       int
	Args    algorithms.Args
	Columns kit.Columns
	Rows    kit.Rows // of a procedure that reads vectors
	Pool    parallel.Pool
}

func New(job plugins.Job, task plugins.Task, pool parallel.Pool) (Procedure, plugins.Plan, error) {
	newProcedure, ok := table[task.Procedure]
	if !ok {
		return nil, plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "procedure %q is not among %v", task.Procedure,
			Names())
	}
	f, err := newInput(job, task, pool)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	p, err := newProcedure(f)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	plan := plugins.Plan{Fixed: kit.LayoutBytes(task.Layout) + p.Scratch(), Kernel: task.Procedure}
	if !edgeless(task.Procedure) {
		plan.Directions = plugins.Directions(algorithms.BothSides, true, job.Graph.Directed)
	}
	return p, plan, nil
}

func newInput(job plugins.Job, task plugins.Task, pool parallel.Pool) (f Input, err error) {
	f = Input{Graph: job.Graph, N: int(job.Graph.Vertices), Args: task.Args, Pool: pool}
	if f.Columns, err = kit.OpenColumns(job.Arena, task.Layout, f.N); err != nil {
		return f, err
	}
	f.Rows, err = kit.OpenRows(job.Arena, task.Layout, f.N)
	return f, err
}

// GroupVertices is the number of vertices of a task of a procedure: few, since a task
// is not interrupted and some vertices have very long lists.
const GroupVertices = 64

// Groups calls do for every group [from, to) of vertices, with the chunks that have
// rows there, and reports progress between two fractions of the whole.
func (f Input) Groups(ctx context.Context, chunks []*csr.Chunk, p Progress,
	do func(worker, from, to int, near []*csr.Chunk)) error {
	count := (f.N + GroupVertices - 1) / GroupVertices
	var done atomic.Int64
	told := p.From
	return f.Pool.Run(ctx, count, func(worker, group int) {
		from := group * GroupVertices
		to := min(from+GroupVertices, f.N)
		do(worker, from, to, csr.Overlapping(chunks, from, to))
		at := p.At(float64(done.Add(1)) / float64(count))
		if worker == 0 && at-told >= 0.01 { // worker 0 is the caller's goroutine
			told = at
			p.Tell(at)
		}
	})
}

// Each does something of every vertex, and returns the error of the first that fails.
func (f Input) Each(ctx context.Context, p Progress, do func(worker, v int) error) error {
	var failed atomic.Pointer[error]
	err := f.Groups(ctx, nil, p, func(worker, from, to int, _ []*csr.Chunk) {
		for v := from; v < to && failed.Load() == nil; v++ {
			if err := do(worker, v); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	})
	if wrong := failed.Load(); wrong != nil {
		return *wrong
	}
	return err
}

// Progress is a part of a procedure, between two fractions of the whole.
type Progress struct {
	From, To float64
	Tell     func(fraction float64)
}

func (p Progress) At(part float64) float64 { return p.From + part*(p.To-p.From) }
