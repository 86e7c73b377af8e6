package host

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/pool"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/store"
)

// Engine runs algorithms on the graphs of one database and keeps what is worth keeping
// between runs: devices that are running, each with the chunks it has been given. What it
// keeps counts against the budget of every run, and ends where there is no room for both.
//
// A warm device serves one run at a time. Of two runs at once the second starts a device
// of its own; that of the run that ends last is kept too, while there is room.
type Engine struct {
	pool    *pool.Pool
	machine uint64 // bytes of it, when the engine was made: to look takes longer than to choose; 0: unknown
	memory  uint64 // of these, of which the chunks of a run and idle devices may take half
	linked  device.LinkedCounts
	graphs  []graph500.Options // by which devices are measured
	ahead   *launch.Ahead      // the built-in device, before a run has asked for it; nil: it was not expected

	mu    sync.Mutex                    // protects what is below
	books map[string]*rates.Book        // by file
	dirs  map[string]*registry.Registry // of plugins, by path
}

// DefaultIdle is how long an idle device is usually kept.
const DefaultIdle = time.Minute

// NewEngine makes an engine that ends devices which have been idle for so long; 0: at once.
// Together they take at most half of this machine's memory.
func NewEngine(idle time.Duration) *Engine {
	memory, err := pages.Physical()
	if err != nil {
		memory = 0 // unknown: nothing is kept
	}
	return &Engine{pool: pool.New(idle, memory), machine: memory, memory: memory, graphs: choose.Graphs}
}

// Run computes what req asks for on the graph of snap, which stays open and unchanged.
// See Run, the function, for the errors. A run that fails leaves no process behind.
func (e *Engine) Run(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	req, err := withInstalled(req, func() (*registry.Registry, error) { return e.installed(req.PluginDir) })
	if err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", req.Title(), snap.Manifest().Graph, err)
	}
	if len(req.Sources) > 0 {
		return e.fromSources(ctx, snap, req, events)
	}
	return e.restart(ctx, snap, req, events)
}

// Expected is what will be asked of an engine soon: it begins at once, so that nobody has to wait for it later.
type Expected struct {
	Device bool // a run on the built-in device, within its walls
	Digest bool // the digest of that device's program, for a report or for what is stored with a result
}

// NewExpecting is NewEngine for a program that knows what it will want.
func NewExpecting(idle time.Duration, expected Expected) *Engine {
	e := NewEngine(idle)
	if expected.Digest {
		launch.TakeSelfDigest()
	}
	if expected.Device {
		if spec, err := launch.Self(); err == nil {
			e.ahead = launch.Begin(spec)
		}
	}
	return e
}

// Close ends all devices. Runs that are still on their way end theirs by themselves.
func (e *Engine) Close() {
	e.saveBooks()
	e.ahead.Close()
	e.pool.Close()
}

// Forget ends the idle devices that hold chunks of a graph, and those on which the store
// waits: what is to be removed lies in files that they read.
func (e *Engine) Forget(graph string) { e.pool.Forget(graph) }

// installed is a plugin directory, as it was opened first: it knows what it has read.
func (e *Engine) installed(dir string) (*registry.Registry, error) {
	opened, err := registry.Open(dir)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dirs == nil {
		e.dirs = map[string]*registry.Registry{}
	}
	if e.dirs[opened.Dir()] == nil {
		e.dirs[opened.Dir()] = opened
	}
	return e.dirs[opened.Dir()], nil
}

// finder finds the devices that a request may name.
func (e *Engine) finder(req Request) device.Finder {
	return device.Finder{Allowed: req.Allowed, Unconfined: req.Unconfined, Ahead: e.ahead,
		Installed: func() (*registry.Registry, error) { return e.installed(req.PluginDir) }}
}

// ratesFile lies in the plugin directory.
const ratesFile = "rates.json"

// openBook is what is known of the devices; nil: npu is not installed or not allowed, and there is nothing to choose.
func (e *Engine) openBook(req Request) *rates.Book {
	if req.Allowed.Check(registry.NPU) != nil {
		return nil
	}
	installed, err := e.installed(req.PluginDir)
	if err != nil {
		return nil
	}
	if _, err := installed.Info(registry.NPU); err != nil {
		return nil
	}
	return e.book(filepath.Join(installed.Dir(), ratesFile))
}

// book is the one on file, opened once.
func (e *Engine) book(file string) *rates.Book {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.books == nil {
		e.books = map[string]*rates.Book{}
	}
	if e.books[file] == nil {
		e.books[file] = rates.Open(file)
	}
	return e.books[file]
}

// allBooks are those that are open.
func (e *Engine) allBooks() map[string]*rates.Book {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.books)
}

// saveBooks keeps what has been learned. What cannot be kept can be measured again.
func (e *Engine) saveBooks() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, b := range e.books {
		_ = b.Save(0)
	}
}

// known is what is known of a computation.
func (e *Engine) known(c plan.Computation, snap *store.Snapshot) choose.Known {
	return choose.NewKnown(e.openBook(c.Request), c, snap, &e.linked)
}
