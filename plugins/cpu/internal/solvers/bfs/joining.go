package bfs

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// joining is where a session stands that has some of the edges, and searches together with others that have the rest
// (plugins.ExtensionJoins). Along its own edges it reaches vertices of whatever share, top down or bottom up; a level
// ends once each session knows what all have reached. Then the way of the next and the end of the run follow from the
// state and from how much all have looked at, which are the same everywhere.
//
//	own edges ──▶ reached ──state──▶ the next session: what it has reached itself, too ──state──▶ …
type joining struct {
	applied bool // a level has been ended in this session: what comes is of others
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

// join adds what this session has reached in the level to what others have; and once that is of all, asks for what the
// next needs.
func (f *streamed[T]) join(it plugins.Iteration) {
	for i, visited := range f.visited {
		f.visited[i] = visited &^ f.before[i]
	}
	for v := range bitmap.Members(f.visited) {
		f.values[v] = f.value
	}
	activity.MarkUnlike(f.visited, f.p.Code.State[0], vector.Identity(f.p.Code.Spec.Reduce, f.p.Code.AccType))
	f.p.Progress.Looked = plugins.Looked{}
	if it.Complete {
		f.conclude(it.Looked)
	}
}
