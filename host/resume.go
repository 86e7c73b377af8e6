package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// A run that is to be resumed keeps its state in a checkpoint from time to time, after an
// iteration, and begins with that of an earlier run that did not end well:
//
//	openKeeper ─▶ restored? ─yes─▶ Restore ─┐
//	                  └──────no──▶ Init ────┴▶ iteration ─▶ keep ─▶ iteration ─▶ … ─▶ remove

// keeper writes checkpoints of a run as it goes on.
type keeper struct {
	checkpoint
	last time.Time // when the last was written, or the run began to compute
	off  bool      // one could not be written
}

// retries is how often a run that keeps checkpoints starts its plugin again when it has died.
const retries = 1

// openKeeper finds out where the checkpoints of this computation are, if it has any.
func (r *run) openKeeper() error {
	switch {
	case !r.req.Resume:
		return nil
	case r.task.Program == nil:
		r.events.Noticed(fmt.Errorf("%s is a procedure, of which no state can be kept: it starts from the beginning", r.req.name()))
		return nil
	case r.split != nil:
		r.events.Noticed(fmt.Errorf("of a run on a core and a rest no state is kept: it starts from the beginning"))
		return nil
	case !r.kernel.Restores:
		r.events.Noticed(fmt.Errorf("device %s cannot go on from a state that was kept: it starts from the beginning", r.device.Name))
		return nil
	}
	of, err := r.computation()
	if err != nil {
		return err
	}
	r.keeper = &keeper{checkpoint: checkpoint{path: filepath.Join(r.req.CheckpointDir, of.file()), of: of}, last: time.Now()}
	for _, c := range append(r.stateColumns(), plugins.VertexColumn{Range: r.task.Layout.Active}) {
		bytes, err := r.arena.Bytes(c.Range)
		if err != nil {
			return err
		}
		r.keeper.state = append(r.keeper.state, bytes)
	}
	return nil
}

// stateColumns are the program's own.
func (r *run) stateColumns() []plugins.VertexColumn {
	columns := r.task.Layout.Columns
	return slices.Clip(columns[len(columns)-len(r.task.Program.State):])
}

// RemoveCheckpoints removes those of a graph from Request.CheckpointDir.
func RemoveCheckpoints(dir, graph string) error {
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

// restored has put the state of a checkpoint into the arena, if there is one.
func (r *run) restored() (it plugins.Iteration, ok bool) {
	if r.keeper == nil {
		return it, false
	}
	it, err := r.keeper.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.events.Noticed(err)
	}
	return it, err == nil
}

// keep writes a checkpoint if it is time for one. The device is not at work meanwhile.
func (r *run) keep() {
	k := r.keeper
	if k == nil || k.off || r.final.Converged || time.Since(k.last) < r.req.CheckpointEvery {
		return
	}
	started := time.Now()
	err := os.MkdirAll(filepath.Dir(k.path), 0o700)
	if err == nil {
		err = k.write(r.final)
	}
	if err != nil {
		k.off = true
		r.events.Noticed(&CheckpointError{File: k.path, Reason: "could not be written; the run goes on without", Err: err})
	}
	var bytes uint64
	for _, column := range k.state {
		bytes += uint64(len(column))
	}
	r.spanBytes("checkpoint", started, bytes)
	k.last = time.Now()
}
