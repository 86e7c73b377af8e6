// Package checkpoint keeps the state of a run that is to be resumed in a file, from time to time, after an
// iteration, and has a run begin with that of an earlier one that did not end well:
//
//	Open ─▶ Read? ─yes─▶ Restore ─┐
//	          └─────no──▶ Init ───┴▶ iteration ─▶ Keep ─▶ iteration ─▶ Keep ─▶ … ─▶ Remove
package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Keeper writes checkpoints of a run as it goes on. A nil one keeps nothing.
type Keeper struct {
	file
	every  time.Duration
	last   time.Time // when the last was written, or the run began to compute
	off    bool      // one could not be written
	trace  *meter.Trace
	notice func(error)
}

// Refusal says why no state of a plan can be kept; empty: it can.
func Refusal(p *plan.Plan) string {
	switch {
	case p.Task.Program == nil && !keepsRow(p):
		return p.Request.Title() + " is a procedure, of which no state can be kept: it starts from the beginning"
	case p.Core != nil:
		return "of a run on a core and a rest no state is kept: it starts from the beginning"
	case p.Task.Program != nil && !p.Kernel.Restores:
		return fmt.Sprintf("device %s cannot go on from a state that was kept: it starts from the beginning", p.Device.Name)
	}
	return ""
}

// Open finds out where the checkpoints of a computation are. digest is that of the devices.
func Open(p *plan.Plan, digest func() (string, error), memory *arena.Arena, trace *meter.Trace,
	events report.Events) (*Keeper, error) {
	plugin, err := digest()
	if err != nil {
		return nil, err
	}
	of := Identify(p, plugin)
	k := &Keeper{file: file{path: filepath.Join(p.Request.CheckpointDir, of.file()), of: of},
		every: p.Request.CheckpointEvery, last: time.Now(),
		trace: trace, notice: events.Noticed}
	if p.Task.Program == nil {
		row, err := Row(p, memory)
		k.state = [][]byte{row}
		return k, err
	}
	for _, c := range append(p.StateColumns(), plugins.VertexColumn{Range: p.Task.Layout.Active}) {
		bytes, err := memory.Bytes(c.Range)
		if err != nil {
			return nil, err
		}
		k.state = append(k.state, bytes)
	}
	return k, nil
}

// Hold has k keep, and read, what lies there from now on: the state columns, the active set and what else belongs to
// the state.
func (k *Keeper) Hold(state [][]byte) {
	if k != nil {
		k.state = state
	}
}

// RemoveAll removes the checkpoints of a graph from a directory.
func RemoveAll(dir, graph string) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), graphPrefix(graph)) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, file.Name())))
		}
	}
	return err
}

// Read has put the state of a checkpoint into the arena, if there is one.
func (k *Keeper) Read() (it plugins.Iteration, ok bool) {
	if k == nil {
		return it, false
	}
	it, err := k.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.notice(err)
	}
	return it, err == nil
}

// Keep writes a checkpoint of an iteration if it is time for one. The device is not at work meanwhile.
func (k *Keeper) Keep(it plugins.Iteration) {
	if k == nil || k.off || it.Converged || time.Since(k.last) < k.every {
		return
	}
	began := time.Now()
	err := os.MkdirAll(filepath.Dir(k.path), 0o700)
	if err == nil {
		err = k.write(it)
	}
	if err != nil {
		k.off = true
		k.notice(&Error{File: k.path, Reason: "could not be written; the run goes on without", Err: err})
	}
	var bytes uint64
	for _, column := range k.state {
		bytes += uint64(len(column))
	}
	k.trace.Stage("checkpoint", began, bytes)
	k.last = time.Now()
}

// Remove removes the checkpoint: the computation has ended well.
func (k *Keeper) Remove() {
	if k != nil {
		k.remove()
	}
}
