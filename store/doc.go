// Package store keeps property graphs in Badger: immutable chunks and columns, named
// by one manifest a graph, and a log of what transactions have changed since.
//
//	formats.Source ─Load─▶ generation ─publish─▶ manifest ◀─Snapshot─ readers
//	                          │  chunks, columns      │ names               ▲ base
//	                          ▼                       ▼                     │
//	                      Badger  ◀────sweep──── what no manifest names     Tx
//	                          ▲                  is deleted                 │
//	                          └────────────log of commits◀──Commit──delta◀──┘
//
// # Reading the source
//
// This package is the facade: it opens a database, lets one write at a time, and composes the rooms behind it. From the
// ground up:
//
//	layout       keys, seals, heads of commits         lsm          Badger's files, read without Badger
//	failure      typed errors                          catalog      the second list of graphs
//	space        room on the disk, the ballast         tree         keys and values; all that knows Badger
//	arrays       values in Arrow arrays                manifest     what a snapshot consists of
//	generation   a write on its way                    snapshot     what reads a snapshot
//	load         source to chunks, with sorting        delta        changes in memory
//	             (files where memory is short)         base         a snapshot as transactions read it
//	             and ordering (of vertices)            transaction  what statements see and change
//	directory    the folder, its format and lock       proof        what Open proves of the files
//	sweep        what nothing names is deleted         reclaim      how space comes back
//	repair       what can be saved                     projection   a part of a snapshot, as a source
//
// write.go publishes a write in one step, pins.go keeps what readers read.
//
// project.go stores a part of a snapshot that no manifest names, so that it goes when it is closed.
//
// capture.go pins a whole database, and intake.go fills another one with it; package backup does so by way of a file.
//
// # On the disk
//
//	DIR/FORMAT    "penstock database 2": its presence makes DIR a database
//	DIR/CATALOG   the list of graphs and their manifests a second time (see package catalog)
//	DIR/SYNCED    the number of the last commit that was acknowledged (see package tree)
//	DIR/LOCK      held while open; the process id of who writes
//	DIR/badger/   Badger's files
//	DIR/BALLAST   16 MiB to delete when the disk is full, so that a graph can be dropped
//	DIR/tmp/      edges and nodes of a load on its way; emptied by Open
//
// # Keys
//
// Numbers are big-endian, so that keys sort as the numbers do.
//
//	n                                             → the last generation given out (8 bytes)
//	s                                             → the number of the last commit or snapshot (8 bytes)
//	g name                                        → manifest of the graph's current snapshot (JSON)
//	d generation(8) k direction(4) number(4)      → chunk (an Arrow stream, see formats/chunk)
//	d generation(8) c column(4) number(4)         → block of a column: 65536 rows (an Arrow stream)
//	l log(8) commit(8) part(4)                    → changes of a commit (see delta.Changes); part 0 is written last
//
// Every write gets a generation, a number that this database never gives out again,
// and the snapshot that the write publishes bears the same number. A snapshot may name
// pieces of earlier generations: writing a node property copies the manifest and adds one
// column. An edge property lies in the chunks, so that writing it writes all of them anew.
// All values but chunks, which have checksums of their own, begin with an
// xxhash64 of key and payload. Of a chunk the manifest has a checksum for each 64 KiB as well (see manifest.PageSums),
// by which some of its lists are read without the others.
//
// Rows of every column and list are dense ids. Where these are not the order of loading
// (see Order), a column of places in that order goes with the ids: the programs' `id` in
// graphs with string ids, and the order of ties, must not depend on it.
//
// For example, the directed edges 5→3, 3→9, 5→1 and 9→9, loaded as "g" into an empty
// database and given the property "rank":
//
//	n                        2
//	g "g"                    {snapshot: 2, vertices: 4, out: [generation 1, …], rank: {generation: 2, item: 1}, …}
//	d 1 c 1 0                user ids       1 3 5 9      dense ids 0 … 3 bear them, ascending: no further index
//	d 1 c 2 0                out-degrees    0 1 2 1
//	d 1 c 3 0                in-degrees     1 1 0 2
//	d 1 k 0 0                out-lists      [] [3] [0 1] [3]
//	d 1 k 1 0                in-lists       [2] [2] [] [1 3]
//	d 2 c 1 0                rank           one value a vertex
//
// # What holds at every moment
//
// A manifest is written in one transaction after all that it names has been synced,
// so a graph is as it was before a write or as it is after it, also when the process
// is killed or the power fails. No list of unfinished work is kept: whatever no
// current manifest and no open Snapshot names is deleted by the next sweep, which
// Open, every write and every Snapshot.Close run. Sweeping looks at keys only.
//
// A commit is part of the graph from the moment on when its head is synced, after its parts.
// A manifest names its log: that of Load and Compact another, so that to publish it empties
// the log in the same step; that of WriteProperties or of another index the same as before,
// as all ids stay. Open transactions pin the snapshot that they began with, its log too.
//
// # Damage
//
// Open proves what is on the disk before it changes anything (package proof), and refuses to write to what is not
// whole; such a database can be read. Nothing is swept unless the tree names the graphs that the
// catalog names (package sweep), and no value log is rewritten unless it is whole (package reclaim). A bit
// that flips in a chunk or column is found by whoever reads it, and by VerifyFiles. Repair copies what is whole.
package store
