package backup

import (
	"bytes"
	"context"
	"errors"
	"log/slog"

	"github.com/penstock-db/penstock/store"
)

// RestoreOptions say what becomes of a backup. The zero value restores what it shows.
type RestoreOptions struct {
	Point  Point
	Logger *slog.Logger // is told what Badger says; nil: nobody is
	// Progress is told how many bytes are read, of those that must be.
	Progress func(done, total int64)
}

// Restored is what a new database has.
type Restored struct {
	Graphs []RestoredGraph
}

// RestoredGraph is a graph of it.
type RestoredGraph struct {
	Manifest *store.Manifest
	Commits  uint64 // of its log
	Of       uint64 // as many were there
}

// Verify reads a backup and those that it follows, and checks that they are whole and hold all that
// Restore needs. It does not look into chunks and columns, whose checksums were right
// when the backup was made; Restore does.
//
// Errors: *DamagedError.
func (c Chain) Verify(ctx context.Context, progress func(done, total int64)) error {
	_, err := c.inspect(ctx, Point{}, progress)
	return err
}

// Restore makes a new database at dir. The files are read twice: nothing is written before all of
// them are found whole. Whatever ends it early leaves no database at dir.
//
// Errors: *DamagedError, *PointError, *store.ExistsError, *store.DiskFullError, *store.DamagedError.
func (c Chain) Restore(ctx context.Context, dir string, options RestoreOptions) (_ *Restored, err error) {
	half := func(offset int64) func(done, total int64) {
		if options.Progress == nil {
			return nil
		}
		return func(done, total int64) { options.Progress(done+offset*total, 2*total) }
	}
	p, err := c.inspect(ctx, options.Point, half(0))
	if err != nil {
		return nil, err
	}
	in, err := store.NewIntake(dir, options.Logger)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Abandon()) }()
	if err := p.put(ctx, in, half(1)); err != nil {
		return nil, err
	}
	restored := &Restored{}
	var manifests []*store.Manifest
	for _, g := range p.shown.graphs {
		manifests = append(manifests, g.Manifest)
		restored.Graphs = append(restored.Graphs, RestoredGraph{g.Manifest, p.logs[g.Manifest.LogID()].keep, g.Commits})
	}
	return restored, in.Finish(ctx, p.shown.end.Generation, manifests)
}

// put puts all that is restored into the new database.
func (p *plan) put(ctx context.Context, in *store.Intake, progress func(done, total int64)) error {
	steps := newSteps(p.files, progress)
	for _, f := range p.files {
		err := f.read(ctx, content{
			value: func(key, value []byte) error {
				steps.add(len(value))
				if !p.restores(key) {
					return nil
				}
				return in.Put(bytes.Clone(key), bytes.Clone(value))
			},
			file: func(name string, content []byte) error {
				if f != p.files.Last() || !isBeside(name) {
					return nil
				}
				return in.PutFile(name, content)
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// restores tells whether the value of a key is restored.
func (p *plan) restores(key []byte) bool {
	if log, number, _, ok := store.CommitOf(key); ok {
		l := p.logs[log]
		return l != nil && number <= l.keep
	}
	_, ok := p.shown.prints[string(key)]
	return ok
}

// steps tells progress.
type steps struct {
	done, total int64
	tell        func(done, total int64)
}

func newSteps(files Chain, tell func(done, total int64)) *steps {
	s := &steps{tell: tell}
	for _, f := range files {
		s.total += f.Size
	}
	return s
}

func (s *steps) add(bytes int) {
	if s.done += int64(bytes); s.tell != nil {
		s.tell(min(s.done, s.total), s.total)
	}
}
