// Package repair copies what is whole in a damaged database into a new one:
//
//	tree, catalog ─manifests─▶ candidates ─verified─▶ snapshot ─▶ values ─▶ copy
//	                                                     └─ log ─▶ commits up to the first that is not whole ─▶ copy
//
// Nothing is changed where it reads. Whether the copy is sound is for who takes it to verify.
package repair

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Source is a database that may be damaged, open for reading only.
type Source struct {
	Tree   *tree.FileTree
	Copies map[string]catalog.Graph // the second copy of the manifests
	Reader *snapshot.Reader         // of Tree
}

// Graph tells what was saved of a graph.
type Graph struct {
	Graph    string
	Snapshot uint64 // that was saved; 0: none
	Commits  uint64 // of those since the snapshot
	// Lost says what of the graph is gone; nil: it is whole.
	Lost error
}

// Saved is what a copy consists of.
type Saved struct {
	Graphs     []Graph
	Manifests  []*manifest.Manifest // of the snapshots that were saved
	Generation uint64               // the last that was given out, as far as is known
}

// Copy puts what is whole into another database: of each graph a snapshot, if all pieces of that can be read, and its
// commits up to the first that cannot. An error is that of to.
func (s Source) Copy(ctx context.Context, to snapshot.Putter) (saved Saved, err error) {
	for _, c := range s.candidates() {
		graph, m, err := s.salvage(ctx, to, c)
		if err != nil {
			return saved, err
		}
		if saved.Graphs = append(saved.Graphs, graph); m != nil {
			saved.Manifests = append(saved.Manifests, m)
		}
	}
	if n, err := tree.LastGeneration(s.Tree); err == nil {
		saved.Generation = n
	}
	for _, m := range saved.Manifests {
		saved.Generation = max(saved.Generation, m.LastGeneration())
	}
	return saved, nil
}

// candidate is a graph and the manifests that there are of it, the most trusted first.
type candidate struct {
	graph     string
	manifests []*manifest.Manifest
	err       error // of a manifest that cannot be read
}

// candidates are the graphs that the tree or the catalog name.
func (s Source) candidates() []candidate {
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
	// A tree that may lack some has the catalog's beside it.
	_ = s.Tree.EachKey([]byte{layout.GraphPrefix}, func(key []byte) error {
		m, err := manifest.Read(s.Tree, string(key[1:]))
		add(string(key[1:]), m, err)
		return nil
	})
	for name, g := range s.Copies {
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
func (s Source) salvage(
	ctx context.Context, to snapshot.Putter, c candidate,
) (graph Graph, saved *manifest.Manifest, err error) {
	graph = Graph{Graph: c.graph, Lost: c.err}
	for i, m := range c.manifests {
		found := s.Reader.Open(m, func() {})
		err := snapshot.Verify(ctx, found)
		if err == nil {
			err = found.CopyTo(ctx, to, 0)
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
			latest := c.manifests[0].ID
			graph.Lost = fmt.Errorf("snapshot %d is saved, which was replaced by %d: %w", m.ID, latest, graph.Lost)
			return graph, m, nil
		}
		graph.Commits, graph.Lost, err = s.salvageCommits(ctx, to, found)
		return graph, m, err
	}
	return graph, nil, nil
}

// copyCommit copies a commit, its head last: parts without one are of no commit.
func copyCommit(ctx context.Context, from *snapshot.Snapshot, to snapshot.Putter, number uint64) error {
	var head struct{ key, value []byte }
	err := from.ReadStoredCommit(ctx, number, func(key, value []byte) error {
		if head.key == nil {
			head.key, head.value = key, value
			return nil
		}
		return to.Put(key, value)
	})
	if err != nil {
		return err
	}
	return to.Put(head.key, head.value)
}

// salvageCommits copies the commits of a snapshot's log up to the first that is not whole.
func (s Source) salvageCommits(
	ctx context.Context, to snapshot.Putter, from *snapshot.Snapshot,
) (copied uint64, lost, err error) {
	prefix := layout.LogKey(from.Manifest().LogID(), 0, 0)[:layout.LogPrefixSize]
	last := uint64(0)
	s.Tree.Keys(prefix, func(key []byte) bool {
		if _, number, part, ok := layout.ParseLogKey(key); ok && part == 0 {
			last = number
		}
		return true
	})
	for copied < last {
		err := copyCommit(ctx, from, to, copied+1)
		if damage := (*failure.DamagedError)(nil); errors.As(err, &damage) {
			return copied, fmt.Errorf("commits %d to %d are lost, and any that followed: %w", copied+1, last, err), nil
		}
		if err != nil {
			return copied, nil, err
		}
		copied++
	}
	suspect := s.Tree.Lost
	if damage := s.Tree.MayLack(prefix); suspect == nil && damage != nil {
		suspect = damage
	}
	if suspect != nil {
		return copied, fmt.Errorf("commits after the first %d may be lost: %w", copied, suspect), nil
	}
	return copied, nil, nil
}
