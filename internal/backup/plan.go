package backup

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/penstock-db/penstock/store"
)

// Point says which state is restored; the zero value: that which the backup shows.
type Point struct {
	// Time is the instant to go back to; commits at that very time are in.
	Time time.Time
	// Commits, by graph, is the last commit of its log that is restored; the other graphs
	// are as the backup shows them. Not together with Time.
	Commits map[string]uint64
}

// plan is what is restored, and from which files.
type plan struct {
	files   Chain
	shown   *contents
	missing map[string]bool // values that were not met yet
	logs    map[uint64]*cut // by log
}

// cut is how much of a graph's log is restored.
type cut struct {
	graph Graph
	until time.Time // commits after that are not restored; zero: all are
	limit uint64    // the same by number

	commits uint64 // met so far
	parts   uint64 // of the last, still to come
	keep    uint64 // how many are restored
	closed  bool   // no more are
	untimed uint64 // commits that do not say when they were made
	base    uint64 // commits before the manifest
}

// inspect reads the files of a chain that a point takes, checks that they are whole and hold
// all that is named, and decides how much of each log is restored.
func (c Chain) inspect(ctx context.Context, point Point, progress func(done, total int64)) (*plan, error) {
	files := c
	if !point.Time.IsZero() {
		var err error
		if files, err = c.at(point.Time); err != nil {
			return nil, err
		}
	}
	p, err := newPlan(files, point)
	if err != nil {
		return nil, err
	}
	steps := newSteps(files, progress)
	for _, f := range files {
		err := f.read(ctx, content{
			value: func(key, value []byte) error {
				if what, err := p.meet(key, value); err != nil {
					return &DamagedError{Path: f.Path, Offset: -1, What: what, Err: err}
				}
				steps.add(len(value))
				return nil
			},
			file: func(string, []byte) error { return nil },
		})
		if err != nil {
			return nil, err
		}
	}
	if err := p.complete(); err != nil {
		return nil, &DamagedError{Path: files.Last().Path, Offset: -1, What: "contents", Err: err}
	}
	for _, l := range p.logs {
		if reason := l.refuse(files.Last().End.Time); reason != "" {
			return nil, &PointError{Path: c.Last().Path, Reason: reason, Windows: c.Windows()}
		}
	}
	return p, nil
}

func newPlan(files Chain, point Point) (*plan, error) {
	shown := files.Last().contents
	p := &plan{files: files, shown: shown, missing: map[string]bool{}, logs: map[uint64]*cut{}}
	for key := range maps.Keys(shown.prints) {
		p.missing[key] = true
	}
	for _, g := range shown.graphs {
		limit, limited := point.Commits[g.Manifest.Graph]
		if !limited {
			limit = g.Commits
		}
		p.logs[g.Manifest.LogID()] = &cut{graph: g, until: point.Time, limit: limit}
	}
	for name, commit := range point.Commits {
		g, ok := shown.graph(name)
		switch {
		case !ok:
			return nil, files.Last().lacks(name)
		case commit > g.Commits:
			return nil, &PointError{Path: files.Last().Path,
				Reason: fmt.Sprintf("graph %q has %d commits since its snapshot, not %d", name, g.Commits, commit)}
		}
	}
	return p, nil
}

// meet checks a value that a file holds, and says what is wrong with it.
func (p *plan) meet(key, value []byte) (what string, err error) {
	if log, number, part, ok := store.CommitOf(key); ok {
		if l := p.logs[log]; l != nil {
			return fmt.Sprintf("commit %d of graph %q", number, l.graph.Manifest.Graph), l.meet(key, value, number, part)
		}
		return "", nil
	}
	print, ok := p.shown.prints[string(key)]
	if !ok {
		return "", nil
	}
	delete(p.missing, string(key))
	if store.Fingerprint(key, value) != print {
		return "a chunk or column", fmt.Errorf("it is not the one that the contents name")
	}
	return "", nil
}

func (l *cut) meet(key, value []byte, number uint64, part uint32) error {
	if part != 0 {
		if l.parts == 0 || number != l.commits {
			return fmt.Errorf("part %d is out of order", part)
		}
		l.parts--
		return nil
	}
	if l.parts > 0 || number != l.commits+1 || number > l.graph.Commits {
		return fmt.Errorf("it follows commit %d of %d", l.commits, l.graph.Commits)
	}
	parts, at, err := store.CommitHead(key, value)
	if err != nil {
		return err
	}
	l.commits, l.parts = number, parts
	if m := l.graph.Manifest; m.ID != m.LogID() && !at.After(m.Created) {
		l.base = number
	}
	if at.IsZero() {
		l.untimed = number
	}
	l.closed = l.closed || number > l.limit || !l.until.IsZero() && at.After(l.until)
	if !l.closed {
		l.keep = number
	}
	return nil
}

// complete checks that all was met.
func (p *plan) complete() error {
	if len(p.missing) > 0 {
		return fmt.Errorf("%d chunks or columns are named and are in no file", len(p.missing))
	}
	for _, l := range p.logs {
		if l.commits != l.graph.Commits || l.parts > 0 {
			return fmt.Errorf("graph %q has %d commits of %d", l.graph.Manifest.Graph, l.commits, l.graph.Commits)
		}
	}
	return nil
}

// refuse tells why the log cannot be cut there; shown is the instant of the backup.
func (l *cut) refuse(shown time.Time) string {
	name := l.graph.Manifest.Graph
	switch {
	case l.keep < l.base:
		return fmt.Sprintf("graph %q can be cut after commits %d to %d, those before are older than its snapshot", name,
			l.base, l.graph.Commits)
	case !l.until.IsZero() && l.until.Before(shown) && l.untimed > 0 && l.keep <= l.untimed:
		return fmt.Sprintf("commits 1 to %d of graph %q were made by a penstock that did not note when; name a commit, %s@N",
			l.untimed, name, name)
	}
	return ""
}
