package host

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Engine runs algorithms on the graphs of one database and keeps what is worth keeping
// between runs: devices that are running, each with the chunks it has been given. What it
// keeps counts against the budget of every run, and ends where there is no room for both.
//
//	Run ──take──▶ warm device, or a new one ──run──▶ keep ──idle, replaced, no room──▶ end
//
// A warm device serves one run at a time. Of two runs at once the second starts a device
// of its own; whose run ends last is kept too, while there is room.
type Engine struct {
	idle    time.Duration
	machine uint64 // bytes of it, when the engine was made: to look takes longer than to choose; 0: unknown
	memory  uint64 // of these; idle devices may take half

	ending sync.WaitGroup // devices that are on their way out

	mu     sync.Mutex // protects what is below
	kept   []*warm    // oldest first
	closed bool
	books  map[string]*rates.Book        // by file
	linked map[linkedKey]uint64          // vertices with an edge
	dirs   map[string]*registry.Registry // of plugins, by path
}

// DefaultIdle is how long a device that nobody uses is usually kept.
const DefaultIdle = time.Minute

// NewEngine makes an engine that ends devices which have been idle for so long; 0: at once.
// Together they take at most half of this machine's memory.
func NewEngine(idle time.Duration) *Engine {
	memory, err := pages.Physical()
	if err != nil {
		memory = 0 // unknown: nothing is kept
	}
	return &Engine{idle: idle, machine: memory, memory: memory}
}

// Run computes what req asks for on the graph of snap, which stays open and unchanged.
// See Run, the function, for the errors. A run that fails leaves no process behind.
func (e *Engine) Run(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	if len(req.Sources) > 0 {
		return e.fromSources(ctx, snap, req, events)
	}
	return e.tryAgain(ctx, snap, req, events)
}

// tryAgain is attempt, once more where the device of a run that is to be resumed dies.
func (e *Engine) tryAgain(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	for attempt := 0; ; attempt++ {
		result, err := e.attempt(ctx, snap, req, events)
		if err == nil || !req.Resume || attempt == retries || ctx.Err() != nil || plugins.KindOf(err) != plugins.KindDied {
			return result, err
		}
		events.Filled().Noticed(fmt.Errorf("the device is started again: %w", err))
	}
}

// attempt carries out a run; one that cannot settle after all a second time, iteration by iteration.
func (e *Engine) attempt(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	r := newRun(ctx, snap, req, events)
	result, err := e.carryOut(r)
	if err != nil {
		result, err = e.onCPU(r, err)
	}
	if r.settling && plugins.KindOf(err) == plugins.KindUnsupported {
		again := newRun(ctx, snap, req, events)
		again.started, again.cannot = r.started, &unsettled{err.Error()}
		result, err = e.carryOut(again)
	}
	if err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", r.req.name(), snap.Manifest().Graph, err)
	}
	return result, nil
}

func (e *Engine) carryOut(r *run) (*Result, error) {
	r.engine = e
	result, err := r.toTheEnd()
	if err == nil {
		r.learn(result.Report)
	}
	return result, err
}

func (r *run) toTheEnd() (result *Result, err error) {
	defer func() {
		r.close()
		r.letGo(result)
	}()
	return r.steps()
}

// Close ends all devices. Runs that are still on their way end theirs by themselves.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.saveBooks()
	e.end(func(*warm) bool { return true })
	e.ending.Wait()
}

// Forget ends the idle devices that hold chunks of a graph, and those on which the store
// waits: what is to be removed lies in files that they read.
func (e *Engine) Forget(graph string) {
	e.end(func(w *warm) bool { return w.key.graph == graph || w.hinders() })
}

// take is a device that is warm for key, or nil. Devices with an older state of the graph
// are of no more use, and end.
func (e *Engine) take(key warmKey) *warm {
	e.end(func(w *warm) bool { return w.key.outdatedBy(key) || w.dead() })
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.kept, func(w *warm) bool { return w.key == key })
	if i < 0 {
		return nil
	}
	w := e.kept[i]
	w.expiry.Stop()
	e.kept = slices.Delete(e.kept, i, i+1)
	return w
}

// has tells whether a device is warm for key.
func (e *Engine) has(key warmKey) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.kept, func(w *warm) bool { return w.key == key })
}

// keep takes a device over from a run that has ended well.
func (e *Engine) keep(w *warm) {
	e.mu.Lock()
	e.kept = append(e.kept, w)
	this := func(other *warm) bool { return other == w }
	w.expiry = time.AfterFunc(max(e.idle, time.Millisecond), func() { e.end(this) })
	unwanted := e.closed || e.idle == 0
	e.mu.Unlock()
	if unwanted {
		e.end(this)
	}
	e.makeRoom(0, e.memory/2)
}

// makeRoom ends idle devices, the oldest first, until they and need bytes more take no more than room.
func (e *Engine) makeRoom(need, room uint64) {
	e.mu.Lock()
	over := need
	for _, w := range e.kept {
		over += w.bytes
	}
	over -= min(over, room)
	e.mu.Unlock()
	e.end(func(w *warm) bool {
		chosen := over > 0
		over -= min(over, w.bytes)
		return chosen
	})
}

// end ends the idle devices that are chosen; it is asked about each once, oldest first.
func (e *Engine) end(chosen func(*warm) bool) {
	e.mu.Lock()
	var ended []*warm
	e.kept = slices.DeleteFunc(e.kept, func(w *warm) bool {
		if !chosen(w) {
			return false
		}
		w.expiry.Stop()
		ended = append(ended, w)
		e.ending.Add(1)
		return true
	})
	e.mu.Unlock()
	for _, w := range ended {
		w.close()
		e.ending.Done()
	}
}

// plugins is the directory that has been opened, as it was opened first: it knows what it has read.
func (e *Engine) plugins(opened *registry.Registry) *registry.Registry {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dirs == nil {
		e.dirs = map[string]*registry.Registry{}
	}
	if e.dirs[opened.Dir()] == nil {
		e.dirs[opened.Dir()] = opened
	}
	return e.dirs[opened.Dir()]
}
