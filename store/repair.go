package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Repaired tells what Repair has saved.
type Repaired struct {
	Graphs []RepairedGraph
	Damage []error // of the database that was repaired
}

// RepairedGraph tells what was saved of a graph.
type RepairedGraph struct {
	Graph    string
	Snapshot uint64 // that was saved; 0: none
	Commits  uint64 // of those since the snapshot
	// Lost says what of the graph is gone; nil: it is whole.
	Lost error
}

// Repair copies what is whole in the database at dir to a new one at to. Of each graph that is its snapshot, if all pieces of
// that can be read, and its commits up to the first that cannot. Nothing at dir is changed. As a backup is restored, so is
// the copy: it becomes a database only when every graph in it has been verified. At most 64 MiB of values are in
// memory at a time, or else one value.
//
// Errors: those of Open for reading only, *ExistsError, *DiskFullError.
func Repair(ctx context.Context, dir, to string) (done *Repaired, err error) {
	db, err := Open(dir, Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	in, err := NewIntake(to, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Abandon()) }()
	done = &Repaired{Damage: db.damage}
	var saved []*manifest.Manifest
	for _, c := range db.candidates() {
		graph, m, err := db.salvage(ctx, in, c)
		if err != nil {
			return nil, err
		}
		if done.Graphs = append(done.Graphs, graph); m != nil {
			saved = append(saved, m)
		}
	}
	if err := copyUsers(in, dir); err != nil {
		return nil, err
	}
	generation := uint64(0)
	if n, err := tree.LastGeneration(db.reading); err == nil {
		generation = n
	}
	for _, m := range saved {
		generation = max(generation, m.LastGeneration())
	}
	return done, in.Finish(ctx, generation, saved)
}

// copyUsers copies the file that says who may use the database.
func copyUsers(in *Intake, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "users"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return in.PutFile("users", text)
}

// candidate is a graph and the manifests that there are of it, the most trusted first.
type candidate struct {
	graph     string
	manifests []*manifest.Manifest
	err       error // of a manifest that cannot be read
}

// candidates are the graphs that the tree or the catalog name.
func (db *DB) candidates() []candidate {
	byName := map[string]*candidate{}
	add := func(name string, m *manifest.Manifest, err error) {
		c := byName[name]
		if c == nil {
			c = &candidate{graph: name}
			byName[name] = c
		}
		if err != nil {
			c.err = err
			return
		}
		if !slices.ContainsFunc(c.manifests, func(other *manifest.Manifest) bool { return other.ID == m.ID }) {
			c.manifests = append(c.manifests, m)
		}
	}
	_ = db.reading.EachKey([]byte{layout.GraphPrefix}, func(key []byte) error { // a tree that may lack some has the catalog's beside it
		m, err := manifest.Read(db.reading, string(key[1:]))
		add(string(key[1:]), m, err)
		return nil
	})
	for name, g := range db.copies {
		m, err := manifest.Decode(g.Manifest)
		add(name, m, err)
	}
	var all []candidate
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, *byName[name])
	}
	return all
}

// salvage copies the first snapshot of a graph that is whole, and its commits. An error is that of the copy.
func (db *DB) salvage(ctx context.Context, in *Intake, c candidate) (graph RepairedGraph, saved *manifest.Manifest, err error) {
	graph = RepairedGraph{Graph: c.graph, Lost: c.err}
	for i, m := range c.manifests {
		s := db.reader.Open(m, func() {})
		err := snapshot.Verify(ctx, s)
		if err == nil {
			err = s.CopyTo(ctx, in, 0)
		}
		if damage := (*failure.DamagedError)(nil); errors.As(err, &damage) {
			graph.Lost = err
			continue
		}
		if err != nil {
			return graph, nil, err
		}
		graph.Snapshot = m.ID
		if i > 0 {
			graph.Lost = fmt.Errorf("snapshot %d is saved, which was replaced by %d: %w", m.ID, c.manifests[0].ID, graph.Lost)
			return graph, m, nil
		}
		graph.Commits, graph.Lost, err = db.salvageCommits(ctx, in, s)
		return graph, m, err
	}
	return graph, nil, nil
}

// copyCommit copies a commit, its head last: parts without one are of no commit.
func copyCommit(ctx context.Context, s *snapshot.Snapshot, in *Intake, number uint64) error {
	var head struct{ key, value []byte }
	err := s.ReadStoredCommit(ctx, number, func(key, value []byte) error {
		if head.key == nil {
			head.key, head.value = key, value
			return nil
		}
		return in.Put(key, value)
	})
	if err != nil {
		return err
	}
	return in.Put(head.key, head.value)
}

// salvageCommits copies the commits of a snapshot's log up to the first that is not whole.
func (db *DB) salvageCommits(ctx context.Context, in *Intake, s *snapshot.Snapshot) (copied uint64, lost, err error) {
	log, last := s.Manifest().LogID(), uint64(0)
	db.reading.Keys(layout.LogKey(log, 0, 0)[:layout.LogPrefixSize], func(key []byte) bool {
		if _, number, part, ok := layout.ParseLogKey(key); ok && part == 0 {
			last = number
		}
		return true
	})
	for copied < last {
		err := copyCommit(ctx, s, in, copied+1)
		if damage := (*failure.DamagedError)(nil); errors.As(err, &damage) {
			return copied, fmt.Errorf("commits %d to %d are lost, and any that followed: %w", copied+1, last, err), nil
		}
		if err != nil {
			return copied, nil, err
		}
		copied++
	}
	suspect := db.reading.Lost
	if damage := db.reading.MayLack(layout.LogKey(log, 0, 0)[:layout.LogPrefixSize]); suspect == nil && damage != nil {
		suspect = damage
	}
	if suspect != nil {
		return copied, fmt.Errorf("commits after the first %d may be lost: %w", copied, suspect), nil
	}
	return copied, nil, nil
}
