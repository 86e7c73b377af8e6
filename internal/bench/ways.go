package bench

// A way is who computes, and what of it is timed.
const (
	inProcess    = "in process"          // our kernels, called directly
	inPlugin     = "plugin"              // our kernels, in the plugin's process, as it tells
	wholeProcess = "whole process"       // penstock run: open, stream, compute, tell
	openDatabase = "open database"       // a run on a database that is open, after another on the graph
	gapbsKernels = "GAPBS kernel"        // as GAPBS tells
	gapbsProcess = "GAPBS whole process" // reading its own serialized graph
	kuzuQuery    = "Kuzu query"          // of a graph already loaded and projected
	gridProcess  = "GridGraph process"   // reading its own grid
)

// ways in the order in which they are drawn.
var ways = []string{inProcess, inPlugin, openDatabase, wholeProcess, gapbsKernels, gapbsProcess, kuzuQuery, gridProcess, limitedProcess, limitedGrid}

// loading is the row of how long each takes to read the edges, once, into a form of its own.
const (
	loading        = "load"
	penstockLoad   = "penstock load"
	gapbsConverter = "GAPBS converter"
	kuzuCopy       = "Kuzu COPY"
	gridPreprocess = "GridGraph preprocess"
)

// Rows of how a graph's chunks reach memory that has been touched before; plainRead and
// plainCopy are as fast as that could be.
const (
	warm      = "read chunks, warm"
	cold      = "read chunks, cold"
	toArena   = "storage to arena" // by two readers, checksums and all
	openFirst = "store opened, storage to arena"
	plainRead = "read()" // a file of as many bytes, into the same memory
	plainCopy = "memcpy"
)

// Ways of a whole process that has little memory.
const (
	limitedProcess = "whole process, limited"
	limitedGrid    = "GridGraph process, limited"
)

// penstockQuery is a statement on an open database, by the Go API.
const penstockQuery = "Penstock"

// singly is the row of PageRank in the precision that GAPBS has.
const singly = "pagerank, single-precision messages"
