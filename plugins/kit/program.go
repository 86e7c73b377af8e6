package kit

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// Program is a vertex program that a device has made ready: the core, which every device
// implements. The session calls one method at a time, and only in an order that makes
// sense. Chunks that a Program is given are validated.
//
// A Program may implement more: Iterator, Admitter, Converter, and the extensions Settler,
// Restorer and Exchanger. The session answers Compile by those that the task asks for.
type Program interface {
	// Init evaluates the initial state and sets the first active set.
	Init(ctx context.Context) error
	// Step sends the messages of a chunk's edges and returns how many edges that were.
	Step(ctx context.Context, c *Chunk) (edges uint64, err error)
	// Apply ends the iteration: it writes the new state and the new active set.
	Apply(ctx context.Context) error
	// Iteration says where the run stands.
	Iteration() *plugins.Iteration
}

// Iterator is a Program that iterates in a way of its own. For any other the session does
// Step over all resident chunks, and Apply, until the Iteration has Converged.
type Iterator interface {
	// Iterate goes on until the program has converged. It tells of each iteration, with all
	// edges processed so far, and looks at ctx once an iteration at least.
	Iterate(ctx context.Context, chunks []*Chunk, tell func(it *plugins.Iteration, edges uint64)) (edges uint64, err error)
}

// Procedure is an algorithm that is no vertex program, made ready for one graph.
type Procedure interface {
	// Call computes the result columns from all chunks, and returns how many edges it has
	// looked at. It may tell what fraction is done.
	Call(ctx context.Context, chunks []*Chunk, tell func(fraction float64)) (edges uint64, err error)
}

// Learner is a Procedure that takes up plugins.ExtensionLearns. Learn is called in place of Call.
type Learner interface {
	// Learn fills the rows that the layout has, but for those that are given. It tells of each epoch by an event with an
	// Epoch, and of what workers have done by the last one that it tells.
	Learn(ctx context.Context, chunks []*Chunk, tell func(plugins.Event)) (edges uint64, err error)
}

// Admitter is a Program or Procedure that makes something of each chunk.
type Admitter interface {
	// Admit looks at a chunk before it becomes resident; an error refuses it.
	Admit(c *Chunk) error
	// Evict forgets a chunk.
	Evict(c *Chunk)
}

// Converter is a Program that brings chunks into another form when they are first used.
type Converter interface {
	// Converted is how long that has taken so far. Events report it as Transfer, not as Compute.
	Converted() time.Duration
}

// Compiled is what a device makes of a task: a Program or a Procedure. Of a network it makes a Program. Of a procedure
// whose task says Passes it may make a Program, which says that it takes them up (plugins.ExtensionPasses).
type Compiled struct {
	// Plan says Directions, Fixed and Kernel, and ActiveRows, Shares, Selects, Nearest and Kept where
	// they apply. Settles, Restores, Parts and Passes the session fills in.
	Plan      plugins.Plan
	Program   Program
	Procedure Procedure
	// Rows: a Procedure that is no Learner reads the rows of the layout that are given, and fills the others.
	Rows bool
	// EdgeColumns are the edge properties that a procedure or a network reads. Those of a vertex program it names
	// itself.
	EdgeColumns []string
	// Allocate is called once Plan.Fixed has been charged to the budget. It may add to the plan what it
	// has charged besides. Nil: there is nothing to allocate.
	Allocate func(*plugins.Plan)
}
