package bfs

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// joining is where a session stands that has some of the edges, and searches together with others that have the rest
// (plugins.ExtensionJoins). Along its own edges it reaches vertices of whatever share, top down or bottom up; a level
// ends once each session knows what all have reached. Then the way of the next and the end of the run follow from the
// state, which is the same everywhere.
//
//	own edges ──▶ reached ──state──▶ the next session: what it has reached itself, too ──state──▶ …
type joining struct {
	applied bool // a level has been ended in this session: what comes is of others
	joined  bool // others have told of the level, and no edge of the next has come
}

// NewJoining is New for one of several sessions, where it is certain that it need never give up.
func NewJoining(p *solvers.Problem) solvers.Solver {
	if !p.Mode.Joins || p.Mode.Settling {
		return nil
	}
	if s, ok := New(p).(solvers.Stepper); ok {
		return s
	}
	return nil
}

// enter begins the level that others have told the frontier of. Before its first edge it is not known that nobody
// else will tell of it.
func (f *streamed[T]) enter() {
	if f.joining == nil || !f.joining.joined {
		return
	}
	f.joining.joined = false
	copy(f.before, f.visited)
	f.aim()
}

// join adds what this session has reached in the level to what others have, and asks for what the next needs.
func (f *streamed[T]) join() {
	f.joining.joined = true
	for i, visited := range f.visited {
		f.visited[i] = visited &^ f.before[i]
	}
	for v := range bitmap.Members(f.visited) {
		f.values[v] = f.value
	}
	activity.MarkUnlike(f.visited, f.p.Code.State[0], vector.Identity(f.p.Code.Spec.Reduce, f.p.Code.AccType))
	f.advance()
	f.turn(f.p.Progress.Iteration >= f.p.Code.Spec.Bound(uint64(f.p.N)))
	f.p.Progress.Set(f.ask(), 0)
}
