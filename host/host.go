// Package host runs an algorithm on a stored graph, on a device in a process of its own.
//
//	store ──1──▶ reader ──2──▶ places ──3──▶ plugin ──4──▶ merge
//	snapshot     two           in a file of   kernels      columns
//	             goroutines    the store's,   (its process) copied out
//	                           or the arena
//
// Who owns the memory at each arrow:
//
//  1. The store's pages stay the store's. If all chunks fit a device that maps files, a chunk
//     is checked where it is stored, and the device reads it there (store.KeepFiles holds the
//     file). Otherwise it is projected, checked and copied, in one pass, into a free range of
//     the arena. The arena is shared memory; it and the plugin may be those of an earlier
//     run, with its chunks in place (engine.go, warm.go).
//  2. A range belongs to the reader until the chunk is in it and its checksum is right.
//  3. From Upload until the answer to Evict the range is the device's to read. State
//     columns are the device's to write while a command runs.
//  4. After the last command everything is the host's again, but chunks stay as they are.
//     Merge copies the result columns; no slice of the arena leaves. The engine keeps the
//     plugin and the arena for the next run, or ends the one and unmaps the other.
//
// Of several devices each has columns of its own, and a range is a chunk's until the last of those
// it was handed on to has answered Evict (chain.go, peer.go, exchange.go).
//
// Of a core and a rest each device has a part of the edges (split.go); chunks that are cut in two lie in the arena.
//
// A run, in pseudo-code; each numbered step is a method in a file of its name:
//
//  1. plan: bind the parameters, check the program against the graph's columns.
//  2. open: start the plugin, unless one is warm ‖ fill the id and degree columns ‖ read
//     the chunks that will surely be wanted.
//     Compile; see whether state and chunks fit the budget, or refuse (*BudgetError).
//  3. stream: if all chunks fit: read and upload them ‖ Iterate, once (or Call);
//     else, each iteration: ask the policy which chunks are needed; for each: read
//     into a free slot ‖ Upload, Step, Evict of the one before; then Apply.
//  4. merge: copy the results out, report.
//
// What runs at once: two readers, the device, and a watchdog that asks a silent device
// for a sign of life. The first error of any of them ends the run with that error, and
// the plugin is killed. Nothing is written to the database, so nothing needs undoing; a run
// that is to be resumed keeps its state in a file of its own (resume.go).
//
// Memory of a run: the arena (Report.ArenaBytes: the vertex columns, and slots, or the
// chunks that are not read in files; those are in the system's page cache), the copied result, and a buffer of one chunk for each of two readers when edge
// columns are left out; beside that a constant. The device bounds itself by the budget.
package host

import (
	"context"

	"github.com/penstock-db/penstock/store"
)

// Run computes what req asks for on the graph of snap, which stays open and unchanged, on
// a device that is started for it. Who runs more than once has an Engine.
//
// Errors: those of algorithms.Bind and Check (what is asked is wrong), *BudgetError,
// *MissingValueError (edges lack a property), *algorithms.DivergedError, *plugins.Error (its Kind says what befell the device), *registry.UnknownPluginError,
// *store.DamagedError; when ctx ends, an error that wraps its cause. The plugin process is
// gone when Run returns.
func Run(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	return NewEngine(0).Run(ctx, snap, req, events)
}

func (r *run) steps() (*Result, error) {
	for _, step := range []func() error{r.plan, r.open, r.stream} {
		if err := step(); err != nil {
			return nil, r.cause(err)
		}
	}
	return r.merge()
}
