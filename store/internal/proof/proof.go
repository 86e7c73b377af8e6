// Package proof says what the files of a database are, before anything is done with them.
//
//  1. Badger's files are read without Badger (package lsm): tables, logs, and the end of the newest value log.
//  2. The number of the last commit must not be below that in SYNCED (package tree).
//  3. The graphs in the tree must be those of the catalog, but for its last change (package catalog).
//  4. Every piece that a manifest names must be in the tree, and its value before the end of a value log. So must
//     the parts of every commit.
//
// What fails is damage. A database with damage is opened for reading only, and everything readable is then looked at:
// tables that nothing names, and what lies behind bad records.
package proof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/lsm"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Proof is what the files of a database were found to be.
type Proof struct {
	dir      string
	Tree     *tree.FileTree
	Sequence uint64 // the number of the last commit
	Synced   uint64 // that was acknowledged
	Catalog  catalog.State
	Pending  bool // the last change of the catalog never got to the tree
	Damage   []error
}

// Prove reads the files of the database in dir, in which it changes nothing. An error is that of files that cannot be
// read.
func Prove(dir string, format int) (*Proof, error) {
	p := &Proof{dir: dir}
	files, err := lsm.Open(directory.Data(dir))
	if errors.Is(err, fs.ErrNotExist) {
		files, err = lsm.Empty(), nil
	}
	if err != nil {
		return nil, err
	}
	p.Tree = &tree.FileTree{Files: files}
	if format == directory.FormatDamaged {
		p.damaged("", "file", fmt.Errorf("%s is not what was written", directory.FormatFile))
	}
	for _, d := range files.Damage() {
		p.damaged("", "file", d)
	}
	p.proveRegistry()
	p.proveSequence(format)
	graphs := p.proveGraphs()
	p.proveCatalog(format, graphs)
	for _, m := range graphs {
		p.provePieces(m)
		p.proveParts(m)
	}
	if len(p.Damage) == 0 {
		return p, nil
	}
	whole := len(files.Damage()) == 0 && p.Sequence >= p.Synced
	files.Close()
	if files, err = lsm.Salvage(directory.Data(dir)); errors.Is(err, fs.ErrNotExist) {
		files, err = lsm.Empty(), nil
	}
	if err != nil {
		return nil, err
	}
	p.Tree = &tree.FileTree{Files: files}
	p.salvaged()
	if !whole && format != 1 {
		p.trustCatalog()
	}
	return p, nil
}

func (p *Proof) damaged(graph, kind string, err error) {
	p.Damage = append(p.Damage, &failure.DamagedError{Graph: graph, Kind: kind, Number: -1, Err: err})
}

// proveRegistry checks Badger's file of encryption keys, of which we have none, but without which it does not open.
func (p *Proof) proveRegistry() {
	_, err := badger.OpenKeyRegistry(badger.KeyRegistryOptions{Dir: directory.Data(p.dir), ReadOnly: true})
	if err != nil {
		p.damaged("", "file", fmt.Errorf("%s: %w", badger.KeyRegistryFileName, err))
	}
}

// proveSequence checks that no commit is missing that was acknowledged. Databases of format 1 did not count
// them; there a log with whole records behind a bad one is damage.
func (p *Proof) proveSequence(format int) {
	payload, err := tree.ReadSealed(p.Tree, layout.SequenceKey)
	switch {
	case err == nil && len(payload) == 8:
		p.Sequence = binary.BigEndian.Uint64(payload)
	case !errors.Is(err, layout.ErrMissing):
		p.damaged("", "number of the last commit", err)
	}
	if format == 1 {
		for _, d := range p.Tree.CutOff() {
			p.damaged("", "file", d)
		}
		for _, path := range p.Tree.Torn() {
			p.damaged("", "file", fmt.Errorf("%s has no head", path))
		}
		return
	}
	if p.Synced, err = tree.ReadSynced(p.dir); err != nil {
		p.damaged("", "file", err)
	} else if p.Sequence < p.Synced {
		p.damaged("", "log", p.lostCommits())
	}
}

func (p *Proof) lostCommits() error {
	const text = "commits and snapshots up to number %d were acknowledged, and the last here is %d"
	err := fmt.Errorf(text, p.Synced, p.Sequence)
	for _, d := range p.Tree.CutOff() {
		err = fmt.Errorf("%w; %w", err, d)
	}
	return err
}

// proveGraphs reads the manifests in the tree.
func (p *Proof) proveGraphs() (graphs map[string]*manifest.Manifest) {
	graphs = map[string]*manifest.Manifest{}
	p.Tree.Keys([]byte{layout.GraphPrefix}, func(key []byte) bool {
		name := string(key[1:])
		m, err := manifest.Read(p.Tree, name)
		if err != nil {
			p.Damage = append(p.Damage, err)
		}
		graphs[name] = m
		return true
	})
	return graphs
}

// proveCatalog compares the graphs in the tree with those of the catalog.
func (p *Proof) proveCatalog(format int, graphs map[string]*manifest.Manifest) {
	state, err := catalog.Read(directory.Catalog(p.dir))
	p.Catalog = state
	switch {
	case format == 1:
		return
	case err != nil:
		p.damaged("", "catalog", err)
		return
	case sameGraphs(state.Graphs, graphs):
		return
	case sameGraphs(state.Before, graphs):
		p.Pending = true
		return
	}
	for name, g := range state.Graphs {
		switch m, ok := graphs[name]; {
		case !ok:
			p.damaged(name, "manifest", fmt.Errorf("the catalog names it, with snapshot %d, and the tree does not", g.Snapshot))
		case m != nil && m.ID != g.Snapshot:
			p.damaged(name, "manifest", fmt.Errorf("the catalog names snapshot %d, and the tree %d", g.Snapshot, m.ID))
		}
	}
	for name := range graphs {
		if _, ok := state.Graphs[name]; !ok {
			p.damaged(name, "manifest", errors.New("the tree names it, and the catalog does not"))
		}
	}
}

// sameGraphs tells whether both name the same graphs with the same snapshots. A manifest that cannot be read, which is
// nil, is damage already.
func sameGraphs(named map[string]catalog.Graph, graphs map[string]*manifest.Manifest) bool {
	if len(named) != len(graphs) {
		return false
	}
	for name, m := range graphs {
		g, ok := named[name]
		if !ok || m != nil && m.ID != g.Snapshot {
			return false
		}
	}
	return true
}

// provePieces checks that all chunks and blocks are there that a manifest names. It reports the first of each
// list and column.
func (p *Proof) provePieces(m *manifest.Manifest) {
	if m == nil {
		return
	}
	reported := "" // chunks of a direction follow one another, and blocks of a column
	for v := range m.Stored() {
		if err := p.Tree.Check(v.Key); err != nil && v.Kind != reported {
			reported = v.Kind
			damage := &failure.DamagedError{Graph: m.Graph, Kind: v.Kind, Number: int64(v.Number), Err: err}
			p.Damage = append(p.Damage, damage)
		}
	}
}

// proveParts checks that every commit has its parts, and their values. A part that no head counts is not looked at: it
// is of a commit that never was, and its value may not have got to the disk. A later commit of the same number may
// have fewer parts.
func (p *Proof) proveParts(m *manifest.Manifest) {
	if m == nil {
		return
	}
	p.Tree.Keys(layout.LogKey(m.LogID(), 0, 0)[:layout.LogPrefixSize], func(key []byte) bool {
		_, commit, part, ok := layout.ParseLogKey(key)
		if !ok || part != 0 {
			return true
		}
		if err := p.proveCommit(m.LogID(), commit); err != nil {
			damage := &failure.DamagedError{Graph: m.Graph, Kind: "log, commit", Number: int64(commit), Err: err}
			p.Damage = append(p.Damage, damage)
			return false
		}
		return true
	})
}

func (p *Proof) proveCommit(log, commit uint64) error {
	head, err := tree.ReadSealed(p.Tree, layout.LogKey(log, commit, 0))
	if err != nil {
		return err
	}
	parts, _, _, err := layout.ParseHead(head)
	if err != nil {
		return err
	}
	for part := range parts {
		if err := p.Tree.Check(layout.LogKey(log, commit, uint32(part+1))); err != nil {
			return err
		}
	}
	return nil
}

// salvaged has logs refused that may lack commits.
func (p *Proof) salvaged() {
	if payload, err := tree.ReadSealed(p.Tree, layout.SequenceKey); err == nil && len(payload) == 8 {
		p.Sequence = binary.BigEndian.Uint64(payload)
	}
	if p.Sequence < p.Synced {
		p.Tree.Lost = p.lostCommits()
	}
}

// trustCatalog takes the graphs from the catalog, if that is whole: those of a tree that is not may be older ones. What
// the last change names is on the disk, whether the tree got it or not.
func (p *Proof) trustCatalog() {
	if _, err := catalog.Read(directory.Catalog(p.dir)); err != nil {
		return
	}
	p.Tree.Graphs = map[string][]byte{}
	for name, g := range p.Catalog.Graphs {
		p.Tree.Graphs[name] = g.Manifest
	}
}
