package matrix

import (
	"maps"
	"runtime/debug"
	"sync"

	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// Legacy is the matrix that a session has left behind: to make it takes longer than many programs do with it. The host
// leaves chunks as they are that were not evicted (plugins.Job), so that the next session on the arena, which
// as a rule is given the same, finds it made. A session that needs another gives it up first.
type Legacy struct {
	Model *model.Model
	More  uint64 // bytes that no plan foretells, since they depend on the edges

	arena   *arena.Arena
	chunks  map[uint32]kit.Identity // of which it was made
	bytes   uint64
	numbers *edges.Compaction
	edges   uint64
}

// discard frees the matrix. A large one goes back to the system at once: the collector would wait until
// as much again is allocated, which the next may be.
func (l *Legacy) discard() {
	if l == nil {
		return
	}
	l.Model.Close()
	if l.bytes > large {
		l.Model = nil
		debug.FreeOSMemory()
	}
}

// large is how many bytes a matrix has that is worth the time it takes to give them back.
const large = 16 << 20

// Estate holds what one session leaves until the next comes.
type Estate struct {
	mu   sync.Mutex // protects left
	left *Legacy
}

// Put leaves l, in place of whatever another session has left meanwhile. It frees that.
func (e *Estate) Put(l *Legacy) {
	e.mu.Lock()
	l, e.left = e.left, l
	e.mu.Unlock()
	l.discard()
}

// Take is what was left on an arena. What was left on another is of no more use.
func (e *Estate) Take(a *arena.Arena) *Legacy {
	e.mu.Lock()
	l := e.left
	e.left = nil
	e.mu.Unlock()
	if l != nil && l.arena != a {
		l.discard()
		return nil
	}
	return l
}

// Inherit takes over what was left, nil: nothing, if it is a matrix such as the plan's, and there is room for what the
// plan has not counted of it: so many bytes.
func (m *Maker) Inherit(l *Legacy) (more uint64) {
	if l == nil {
		return 0
	}
	if !m.plan.Suits(l.Model) || m.budget.Left() < l.More+kit.SmallestChunk ||
		m.budget.Take(l.More, "an earlier matrix") != nil {
		l.discard()
		return 0
	}
	m.earlier = l
	return l.More
}

// Disinherit gives up what was left.
func (m *Maker) Disinherit() {
	if l := m.earlier; l != nil {
		m.budget.Give(l.More)
		l.discard()
	}
	m.earlier = nil
}

// Leave is the matrix for the next session on an arena, if it is of the chunks that are there, or else what was
// inherited and not touched; nil: nothing. What has more vertices than were announced is given up, as is what was at
// work when a command failed.
func (m *Maker) Leave(a *arena.Arena, chunks edges.Chunks, failed bool) *Legacy {
	l := m.earlier
	if made := m.made; made != nil && made.model != nil && !m.grown && !failed && maps.Equal(made.chunks, chunks) {
		more := made.more - made.model.Rest()
		l = &Legacy{Model: made.model, More: more, arena: a, chunks: made.chunks.Identities(), bytes: m.plan.Bytes + more,
			numbers: made.numbers, edges: made.Edges}
		m.made = nil
	}
	m.unmake()
	m.earlier = nil
	return l
}
