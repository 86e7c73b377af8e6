// Package snapshot reads what one snapshot of a graph consists of:
//
//	manifest ─▶ Snapshot ─key─▶ tree ─value─▶ chunk (readchunk.go), block of a column (column.go)
//	                │                             past the system's cache (direct_linux.go), or in its file (locate.go)
//	                └─▶ ids and degrees (ids.go, degrees.go), a source (source.go), values as stored (readstored.go)
//
// verifysnapshot.go checks all of it, keepfiles.go keeps files as they are while devices read there.
package snapshot

import (
	"sync"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Reader is what all snapshots of a database are read with.
type Reader struct {
	view   func(look func(tree.Tree) error) error
	mem    memory.Allocator
	files  *FilesInUse
	finder finder
}

// NewReader reads the trees that view shows. Arrays are in memory of mem.
func NewReader(view func(look func(tree.Tree) error) error, mem memory.Allocator, files *FilesInUse) *Reader {
	return &Reader{view: view, mem: mem, files: files}
}

// Open is the snapshot that m names, which must stay in the database until closed is called.
func (r *Reader) Open(m *manifest.Manifest, closed func()) *Snapshot {
	c := columns{r, m.Graph}
	return &Snapshot{columns: c, IDs: IDs{c, m.IDs, m.Vertices}, manifest: m, closed: closed}
}

// Snapshot is one immutable state of a graph. What it names stays in the database
// until Close, even when the graph is replaced or dropped meanwhile. Its methods may
// be called from several goroutines.
type Snapshot struct {
	columns
	IDs
	manifest *manifest.Manifest
	closed   func()
	close    sync.Once
	Direct   directReads
}

// Manifest describes the snapshot. It must not be changed.
func (s *Snapshot) Manifest() *manifest.Manifest { return s.manifest }

// Close lets go of the snapshot. When it was the last that named some data, that is
// deleted now or, if somebody is writing, when that write ends.
func (s *Snapshot) Close() {
	s.close.Do(func() {
		s.closed()
		s.Direct.close()
	})
}
