package npu

import (
	"maps"
	"runtime/debug"
	"sync"

	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// legacy is the matrix that a session has left behind: to make it takes longer than many programs do with it. The host
// leaves chunks as they are that were not evicted (plugins.Job), so that the next session on the arena, which
// as a rule is given the same, finds it made. Whoever needs another gives it up first.
type legacy struct {
	arena  *arena.Arena
	chunks map[uint32]kit.Identity // which it was made of
	bytes  uint64
	more   uint64 // of these, that no plan foretells, since it depends on the edges
	*compaction
	edges uint64
	model *model.Model
}

// discard frees the matrix. A large one goes back to the system at once: the collector would wait until
// as much again is allocated, which the next may be.
func (l *legacy) discard() {
	if l == nil {
		return
	}
	l.model.Close()
	if l.bytes > large {
		l.model = nil
		debug.FreeOSMemory()
	}
}

// large is how many bytes a matrix has that is worth the time it takes to give them back.
const large = 16 << 20

// estate holds what one session leaves until the next comes.
type estate struct {
	mu   sync.Mutex // protects left
	left *legacy
}

// put leaves l, in place of whatever another session has left meanwhile.
func (e *estate) put(l *legacy) {
	e.mu.Lock()
	l, e.left = e.left, l
	e.mu.Unlock()
	l.discard()
}

// take is what was left on an arena. What was left on another is of no more use.
func (e *estate) take(a *arena.Arena) *legacy {
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

// inherit has the program take over what was left, if it is a matrix such as its own, and there is room for what the plan has not counted
// of it: so many bytes.
func (s *session) inherit() (more uint64) {
	l := s.earlier
	if s.earlier = nil; l == nil {
		return 0
	}
	if !s.program.model.Suits(l.model) || s.budget.Left() < l.more+kit.SmallestChunk || s.budget.Take(l.more, "an earlier matrix") != nil {
		l.discard()
		return 0
	}
	s.program.earlier = l
	return l.more
}

// disinherit gives up what was left.
func (p *program) disinherit() {
	if l := p.earlier; l != nil {
		p.budget.Give(l.more)
		l.discard()
	}
	p.earlier = nil
}

// leave leaves the next session the matrix of the chunks that are there, or what this one has not touched. What has more vertices
// than were announced is given up, as is what was at work when a command failed.
func (s *session) leave(failed bool) {
	l := s.earlier
	if p := s.program; p != nil {
		l = p.earlier
		if m := p.matrix; m != nil && m.model != nil && !p.grown && !failed && maps.Equal(m.chunks, p.chunks) {
			more := m.more - m.model.Rest()
			l = &legacy{s.job.Arena, identities(m.chunks), p.model.Bytes + more, more, m.compaction, m.edges, m.model}
			p.matrix = nil
		}
		p.unmake()
		p.earlier = nil
	}
	if s.earlier = nil; l != nil {
		s.device.estate.put(l)
	}
}

func identities(chunks map[uint32]*resident) map[uint32]kit.Identity {
	all := make(map[uint32]kit.Identity, len(chunks))
	for number, r := range chunks {
		all[number] = r.identity
	}
	return all
}
