// Package host runs an algorithm on a stored graph, on a device in a process of its own.
//
//	Request ──plan──▶ Plan ──supply──▶ chunks in place ──execute, over link──▶ state ──result──▶ Result
//
// A run is these steps, each a package of internal:
//
//  1. plan: bind the request to the graph; later, once devices have described themselves, agree with them on a Plan that fits the
//     budget, or refuse (*BudgetError). choose puts a device in the place of "auto".
//  2. open: take a warm device from the pool or start one (device) ‖ make and fill the shared memory ‖ read the chunks that will
//     surely be wanted (supply).
//  3. execute: the executor that the plan asks for uploads chunks and has the devices compute: resident, streamed,
//     nearest, queue or split. It talks to one device or a chain of them by streams of commands, each answer of which is checked (link).
//  4. result: copy the results out, report.
//
// Run, Estimate and Explain read the same Plan: Estimate stops after step 2, and reads chunks only to
// find out whether the graph is deep.
//
// Ownership of the memory:
//
//   - The store's pages stay the store's. If all chunks fit a device that maps files, a chunk is checked where it is stored, and
//     the device reads it there. Otherwise it is projected, checked and copied, in one pass, into a free range of the arena, which
//     is shared with the device.
//   - A range belongs to the reader until the chunk is in it and its checksum is right. From Upload until the answer to Evict it is
//     the device's to read; of several devices, until the last of them has answered. State columns are the device's to write while
//     a command runs.
//   - After the last command everything is the host's again. The pool keeps the device, the arena and its chunks for the next run.
//
// Train and Predict are runs of their own (train.go): dataset reads features and labels, train gives them to a device
// beside the lists of the graph, and learns.
//
// What runs at once: two readers, the device, and a watchdog that asks a silent device
// for a sign of life. The first error of any of them ends the run with that error, and
// the plugin is killed. Nothing is written to the database, so nothing needs undoing; a run
// that is to be resumed keeps its state in a file of its own (checkpoint).
//
// Memory of a run: the arena (Report.ArenaBytes: the vertex columns, and slots, or the chunks that are not read in
// files; those are in the system's page cache), the copied result, and a buffer of one chunk for each of two readers
// when edge columns are left out; beside that a constant. The device bounds itself by the budget.
package host

import (
	"context"

	"github.com/penstock-db/penstock/store"
)

// Run computes what req asks for on the graph of snap, which stays open and unchanged, on
// a device that is started for it. An Engine is for more than one run.
//
// Errors: those of algorithms.Bind and Check (what is asked is wrong), *BudgetError,
// *ScratchError (temporary files have no room),
// *MissingValueError (edges lack a property), *algorithms.DivergedError, *plugins.Error (its Kind says what befell the
// device), *registry.UnknownPluginError, *store.DamagedError; when ctx ends, an error that wraps its cause. The plugin
// process is gone when Run returns.
func Run(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	return NewEngine(0).Run(ctx, snap, req, events)
}
