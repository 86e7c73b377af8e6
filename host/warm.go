package host

import (
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// warm is a running device and the arena it shares with the host: room for every chunk of
// a graph, each at a place of its own, and behind it the vertex columns of one run. What
// is not used is never touched, and costs nothing.
//
//	0          chunks, or slots       columns             size
//	│ out 0 │ out 1 │ … │ in 0 │ …       │ id │ rank │ active │
type warm struct {
	key     warmKey
	plugin  *launch.Plugin
	device  plugins.Description
	arena   *arena.Arena
	places  map[chunkName]arena.Range // of every chunk; room for the largest it may be
	columns uint64                    // where the vertex columns begin
	bytes   uint64                    // of memory in use, as of the end of the last run
	expiry  *time.Timer               // while it is idle

	mu     sync.Mutex          // protects filled: two goroutines read
	filled map[chunkName]place // the chunks that are there, whole and checked

	files *store.KeptFiles // in which chunks may be read; nil: in none
}

// place is where a chunk is: in the arena, or in a file of the store's.
type place struct {
	file string
	arena.Range
}

// chunkName names a chunk within a graph.
type chunkName struct {
	direction chunk.Direction
	number    uint32
}

func (p piece) name() chunkName { return chunkName{p.info.Direction, p.info.Number} }

// warmKey says for which runs a device is warm: those with the same program of the
// device, on the same chunks with the same edge columns.
type warmKey struct {
	graph      string
	generation uint64 // of the chunks: the store never gives a number out again
	edges      string
	program    string
}

func (r *run) warmKey(spec launch.Spec) warmKey {
	m := r.snap.Manifest()
	return warmKey{graph: m.Graph, generation: m.Topology(), edges: strings.Join(r.edgeNames, "\x00"), program: spec.Identity()}
}

func (k warmKey) outdatedBy(newer warmKey) bool {
	return k.graph == newer.graph && k.generation != newer.generation
}

// dead tells whether the process has ended by itself.
func (w *warm) dead() bool {
	select {
	case <-w.plugin.Exited():
		return true
	default:
		return false
	}
}

// has is where a chunk is, if it is there.
func (w *warm) has(name chunkName) (place, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.filled[name]
	return at, ok
}

func (w *warm) fill(name chunkName, at place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.filled[name] = at
}

// spareBytes is the bytes of chunks that are there and not among wanted.
func (w *warm) spareBytes(wanted []piece) (bytes uint64) {
	for _, at := range w.unwanted(wanted) {
		bytes += at.Length
	}
	return bytes
}

// shed gives up the chunks that are not among wanted.
func (w *warm) shed(wanted []piece) {
	for name, at := range w.unwanted(wanted) {
		if at.file == "" {
			w.arena.Discard(at.Range)
		}
		delete(w.filled, name)
	}
}

func (w *warm) unwanted(wanted []piece) map[chunkName]place {
	rest := maps.Clone(w.filled)
	for _, c := range wanted {
		delete(rest, c.name())
	}
	return rest
}

// hinders tells whether the store waits for the device to end.
func (w *warm) hinders() bool { return w.files != nil && w.files.Wanted() }

// close asks the device to end, and gives up the memory that it has shared.
func (w *warm) close() {
	w.plugin.Close()
	w.closeMemory()
}

// closeMemory gives up the arena and the store's files, which no device may use any more.
func (w *warm) closeMemory() {
	w.arena.Close()
	w.leaveFiles()
}

// leaveFiles lets the store change its files: no chunk is read there any more.
func (w *warm) leaveFiles() {
	if w.files != nil {
		w.files.Release()
		w.files = nil
	}
}
