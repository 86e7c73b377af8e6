package host

import (
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/launch"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
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

	mu     sync.Mutex                // protects filled: two goroutines read
	filled map[chunkName]arena.Range // the chunks that are there, whole and checked
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
	key := warmKey{graph: m.Graph, generation: m.ID, edges: strings.Join(r.edgeNames, "\x00"), program: spec.Path + " " + spec.SHA256}
	if chunks := m.Chunks(chunk.Out); len(chunks) > 0 {
		key.generation = chunks[0].Generation // properties may have been written since
	}
	return key
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
func (w *warm) has(name chunkName) (arena.Range, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.filled[name]
	return at, ok
}

func (w *warm) fill(name chunkName, at arena.Range) {
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
		w.arena.Discard(at)
		delete(w.filled, name)
	}
}

func (w *warm) unwanted(wanted []piece) map[chunkName]arena.Range {
	rest := maps.Clone(w.filled)
	for _, c := range wanted {
		delete(rest, c.name())
	}
	return rest
}

// close asks the device to end, and gives up the arena.
func (w *warm) close() {
	w.plugin.Close()
	w.arena.Close()
}
