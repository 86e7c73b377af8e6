package store

import (
	"time"

	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/tree"
)

type (
	// Snapshot is one immutable state of a graph. What it names stays in the database
	// until Close, even when the graph is replaced or dropped meanwhile. Its methods may
	// be called from several goroutines.
	Snapshot = snapshot.Snapshot
	// KeptFiles is one use of the files of a database: none of them becomes shorter than what
	// is stored there until Release.
	KeptFiles = snapshot.KeptFiles
	// Place is where in a file something lies.
	Place = snapshot.Place
	// Reading is what Snapshot.ReadLists took to read of a chunk what was asked for.
	Reading = snapshot.Reading
)

// LeastInFile is how many bytes a chunk has at least that lies in a file by itself, where LocateChunk finds it.
const LeastInFile = tree.ValueThreshold

// UncachedRoom is how many bytes a chunk's blocks may have more than the chunk.
const UncachedRoom = snapshot.UncachedRoom

// PageBytes is how much of a chunk Snapshot.ReadLists reads for a list, at least.
const PageBytes = manifest.PageBytes

// ListsRoom is how many bytes Snapshot.ReadLists needs beside those of the chunk.
const ListsRoom = snapshot.ListsRoom

// Fingerprint tells a value from others under the same key. It looks at both ends alone: sealed
// values begin with their checksum, and chunks end with one that stands for all of theirs.
func Fingerprint(key, value []byte) uint64 { return snapshot.Fingerprint(key, value) }

// CommitOf tells which part of which commit of a log a key names; part 0 is the head.
func CommitOf(key []byte) (log, commit uint64, part uint32, ok bool) { return layout.ParseLogKey(key) }

// CommitHead reads the stored head of a commit: how many parts follow it, and when it was
// committed; zero: an older penstock has written it, which did not say.
func CommitHead(key, value []byte) (parts uint64, at time.Time, err error) {
	return layout.CommitHead(key, value)
}
