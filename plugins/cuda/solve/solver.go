package solve

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// Solver runs programs of one shape to their end, once all chunks are resident.
type Solver interface {
	// Name is for the report.
	Name() string
	// Scratch is what Run needs beside the program's own, in bytes.
	Scratch(vertices uint64) uint64
	// Run brings the state from where Init has left it to where iterations would bring it, tells of each
	// iteration that counts, and leaves the active set as they would and the accumulators empty. It answers
	// false when the values at hand (weights, state) are not of the kind it takes: the state is still what it
	// was then.
	Run(ctx context.Context, job Job) (solved bool, err error)
}

// Job is what a solver is given. It allocates nothing, and does not wait in the driver.
type Job struct {
	Card    driver.Card // whose context is current on this thread
	Stream  driver.Stream
	Kernels *kernels.Solve
	Spec    *algorithms.Program
	Program kernels.Program
	At      driver.Pointer     // of the Program on the card
	Chunks  []kernels.Resident // all that the plan asks for, by number
	// Template and State are the program's kernels and what they need. Without them sums are left to Step.
	Template *kernels.Template
	State    kernels.State
	Scratch  driver.Pointer // at a multiple of 256
	Answer   []byte         // pinned memory of AnswerBytes
	Tell     func(iteration plugins.Iteration, edges uint64)
}

// AnswerBytes is how much of the host's memory a solver reads what the card says into.
const AnswerBytes = 256

// maxShort is the most vertices that solvers number, by 32 bits.
const maxShort = 1 << 32

// For finds the solver of a program that algorithms.Check has seen. It goes by what the program computes.
func For(spec *algorithms.Program, graph plugins.Graph) (Solver, bool) {
	if graph.Vertices > maxShort {
		return nil, false
	}
	f := formOf(spec, graph)
	if forest, ok := f.forest(); ok {
		return forest, true
	}
	if flood, ok := f.flood(); ok {
		return flood, true
	}
	if nearFar, ok := f.nearFar(); ok {
		return nearFar, true
	}
	if sums, ok := f.sums(); ok {
		return sums, true
	}
	return nil, false
}
