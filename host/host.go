// Package host runs an algorithm on a stored graph, on a device in a process of its own.
//
//	store ──1──▶ reader ──2──▶ slots ──3──▶ plugin ──4──▶ merge
//	snapshot     two           ranges of     kernels      columns
//	             goroutines    the arena     (its process) copied out
//
// Who owns the memory at each arrow:
//
//  1. The store's pages stay the store's: a chunk is projected and copied, once, into a
//     free range of the arena. The arena is shared memory that the run creates and closes.
//  2. A range belongs to the reader until the chunk is in it and its checksum is right.
//  3. From Upload until the answer to Evict the range is the device's to read. State
//     columns are the device's to write while a command runs.
//  4. After the last command everything is the host's again. Merge copies the result
//     columns; then the plugin ends and the arena is unmapped. No slice of it leaves.
//
// A run, in pseudo-code; each numbered step is a method in a file of its name:
//
//  1. plan: bind the parameters, check the program against the graph's columns.
//  2. open: start the plugin ‖ create the arena, fill its id and degree columns.
//     Compile; see whether state and chunks fit the budget, or refuse (*BudgetError).
//  3. stream: if all chunks fit: read and upload them ‖ Iterate, once (or Call);
//     else, each iteration: ask the policy which chunks are needed; for each: read
//     into a free slot ‖ Upload, Step, Evict of the one before; then Apply.
//  4. merge: copy the results out, report.
//
// What runs at once: two readers, the device, and a watchdog that asks a silent device
// for a sign of life. The first error of any of them ends the run with that error, and
// the plugin is killed. Nothing is written to the database, so nothing needs undoing.
//
// Memory of a run: the arena (Report.ArenaBytes: the vertex columns, and the chunks or
// slots), the copied result, and a buffer of one chunk for each of two readers when edge
// columns are left out; beside that a constant. The device bounds itself by the budget.
package host

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/store"
)

// Run computes what req asks for on the graph of snap, which stays open and unchanged.
//
// Errors: those of algorithms.Bind and Check (what is asked is wrong), *BudgetError,
// *MissingValueError (edges lack a property), *algorithms.DivergedError, *plugins.Error (its Kind says what befell the device), *registry.UnknownPluginError,
// *store.DamagedError; when ctx ends, an error that wraps its cause. The plugin process is
// gone when Run returns.
func Run(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	r := newRun(ctx, snap, req, events)
	defer r.close()
	result, err := r.steps()
	if err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", r.req.name(), snap.Manifest().Graph, err)
	}
	return result, nil
}

func (r *run) steps() (*Result, error) {
	for _, step := range []func() error{r.plan, r.open, r.stream} {
		if err := step(); err != nil {
			return nil, r.cause(err)
		}
	}
	return r.merge()
}
