package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/penstock-db/penstock/store"
)

// Chain is a backup and all that it follows, the oldest, which is a full one, first.
type Chain []*File

// OpenChain opens a backup and those that it follows. The caller must Close it.
//
// Errors: *NotBackupError, *DamagedError, *ChainError.
func OpenChain(path string) (Chain, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	c := Chain{f}
	for c[0].Header.Previous != nil {
		before, err := openPrevious(c[0])
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c = append(Chain{before}, c...)
	}
	return c, nil
}

func openPrevious(f *File) (*File, error) {
	previous := f.Header.Previous
	path := previous.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(f.Path), path)
	}
	before, err := Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &ChainError{Path: f.Path, Previous: path, Reason: "which is not there"}
	}
	if err != nil {
		return nil, err
	}
	if before.SHA256() != previous.SHA256 {
		return nil, errors.Join(&ChainError{Path: f.Path, Previous: path, Reason: "but another backup has that name"},
			before.Close())
	}
	return before, nil
}

// Close lets go of all files.
func (c Chain) Close() error {
	var all []error
	for _, f := range c {
		all = append(all, f.Close())
	}
	return errors.Join(all...)
}

// Last is the backup itself.
func (c Chain) Last() *File { return c[len(c)-1] }

// Commits yields the commits that the backup shows, those of each log in order, with the time of
// each; zero: it has none. The files are checked on the way.
//
// Errors: *DamagedError, and those of yield.
func (c Chain) Commits(ctx context.Context, yield func(graph string, number uint64, at time.Time) error) error {
	p, err := newPlan(c, Point{})
	if err != nil {
		return err
	}
	for _, f := range c {
		err := f.read(ctx, content{
			value: func(key, value []byte) error {
				log, number, part, ok := store.CommitOf(key)
				if !ok || part != 0 || p.logs[log] == nil {
					return nil
				}
				_, at, err := store.CommitHead(key, value)
				if err != nil {
					return f.damaged(record{offset: -1}, "commit", err)
				}
				return yield(p.logs[log].graph.Manifest.Graph, number, at)
			},
			file: func(string, []byte) error { return nil },
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Only is the chain as if there were no other graphs than these; Close the chain itself.
//
// Errors: *PointError.
func (c Chain) Only(graphs ...string) (Chain, error) {
	for _, name := range graphs {
		if _, ok := c.Last().contents.graph(name); !ok {
			return nil, c.Last().lacks(name)
		}
	}
	var all Chain
	for _, f := range c {
		only := *f
		only.contents, only.close = f.contents.only(graphs), nil
		all = append(all, &only)
	}
	return all, nil
}

func (f *File) lacks(graph string) error {
	var has []string
	for _, g := range f.contents.graphs {
		has = append(has, g.Manifest.Graph)
	}
	return &PointError{Path: f.Path, Reason: fmt.Sprintf("it has no graph %q, but %s", graph, strings.Join(has, ", "))}
}

// Window is a time in which a chain knows all graphs, both ends included.
type Window struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// Windows are the times that Restore can go back to, one for each backup, the oldest first.
//
// What a backup knows of a graph begins when its manifest was published, and of all graphs
// with the latest of these; what was before is for the backup before to know. A graph that the backup
// before has and this one has not was dropped nobody knows when.
func (c Chain) Windows() []Window {
	var all []Window
	for i, f := range c {
		w := Window{Until: f.End.Time}
		for _, g := range f.contents.graphs {
			if created := g.Manifest.Created; created.After(w.From) {
				w.From = created
			}
		}
		if i > 0 {
			before := c[i-1]
			if !w.From.After(before.End.Time) {
				w.From = before.End.Time.Add(1)
			}
			for _, g := range before.contents.graphs {
				if _, ok := f.contents.graph(g.Manifest.Graph); !ok {
					w.From = w.Until
				}
			}
		}
		if w.From.After(w.Until) || len(f.contents.graphs) == 0 {
			w.From = w.Until // by a clock that was set back
		}
		all = append(all, w)
	}
	return all
}

// at is the part of the chain that knows an instant.
func (c Chain) at(t time.Time) (Chain, error) {
	windows := c.Windows()
	for i, w := range windows {
		if !t.Before(w.From) && !t.After(w.Until) {
			return c[:i+1], nil
		}
	}
	return nil, &PointError{Path: c.Last().Path, Reason: fmt.Sprintf("what was at %s is not known",
		t.Format(time.RFC3339Nano)), Windows: windows}
}
