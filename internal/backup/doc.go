// Package backup copies a whole database to one file while it is in use, and makes a database
// of such files again.
//
//	Capture ─Write─▶ file ─Chain─▶ plan ─Restore─▶ store.Intake ─▶ database
//	            ▲      │
//	            └─Base─┘ what the previous file knows need not be written again
//
// # The file
//
//	magic "penstock backup 1\n"
//	records: kind (1) | bytes of payload (4) | xxhash64 of kind, bytes and payload (8) | payload
//	  h  header (JSON): by whom, and which file it follows
//	  v  values of the database: pairs of key and value; z: the same, packed with zstd
//	  f  files beside the graphs, who may log in, plugins and models: pairs of name and content
//	  g  a graph (JSON): its manifest, and which commits of its log there are
//	  k  all values that the graphs name, here or in files before: pairs of key and fingerprint
//	  e  end (JSON): the instant, and how much there is
//	trailer: offset of the first g, k or e (8) | SHA-256 of all before the trailer (32) |
//	         xxhash64 of these (8) | "pstkend\n"
//
// A pair is a length, the key, a length, the value; lengths are uvarints, other numbers
// big-endian. Keys and values are those of the database (see package store), so whoever restores
// them writes what was read. Small values share a record of about 1 MiB; a larger one has its own.
//
// # Consistency
//
// Write reads a Capture: all graphs at one instant, which no writer waits for and no sweep
// touches. Every value is checked as it is read; a damaged database is not backed up.
//
// # Incremental backups
//
// Values are never changed, and a log only grows. So a file that follows another holds the values
// that the other's graphs do not name, and the commits after its last. Both are told by
// fingerprints from those of another database that happen to have the same keys: such a
// database has no backup that follows (*DivergedError). A file names the one before by its SHA-256,
// which it must still have to be restored.
//
// # Which instants can be restored
//
// A file knows each graph from the moment on when its manifest was published until the file's own
// instant: the log has what was committed in between, with the time of each commit. What was
// before is known as far as files before know it. Chain.Windows lists what is known of all graphs
// at once; a compaction, a load or a write-back after the previous backup leaves a gap.
//
// # Memory
//
// One value, 64 MiB on their way to the new database, and for each value that the graphs name about
// 100 bytes. What a damaged file says of itself is not believed: nothing is allocated that is not
// there.
package backup
