package measure

// A way is who computes, and what of it is timed.
const (
	InProcess    = "in process"          // our kernels, called directly
	InPlugin     = "plugin"              // our kernels, in the plugin's process, as it tells
	WholeProcess = "whole process"       // penstock run: open, stream, compute, tell
	OpenDatabase = "open database"       // a run on a database that is open, after another on the graph
	GapbsKernels = "GAPBS kernel"        // as GAPBS tells
	GapbsProcess = "GAPBS whole process" // reading its own serialized graph
	KuzuQuery    = "Kuzu query"          // of a graph already loaded and projected
	GridProcess  = "GridGraph process"   // reading its own grid
)

// Ways in the order in which they are drawn.
var Ways = []string{InProcess, InPlugin, OpenDatabase, WholeProcess, GapbsKernels, GapbsProcess, KuzuQuery, GridProcess,
	LimitedProcess, LimitedGrid}

// Loading is the row of how long each takes to read the edges, once, into a form of its own.
const (
	Loading        = "load"
	PenstockLoad   = "penstock load"
	GapbsConverter = "GAPBS converter"
	KuzuCopy       = "Kuzu COPY"
	GridPreprocess = "GridGraph preprocess"
)

// Rows of how a graph's chunks reach memory that has been touched before; plainRead and
// plainCopy are as fast as that could be.
const (
	Warm      = "read chunks, warm"
	Cold      = "read chunks, cold"
	ToArena   = "storage to arena" // by two readers, checksums and all
	OpenFirst = "store opened, storage to arena"
	PlainRead = "read()" // a file of as many bytes, into the same memory
	PlainCopy = "memcpy"
)

// Ways of a whole process that has little memory.
const (
	LimitedProcess = "whole process, limited"
	LimitedGrid    = "GridGraph process, limited"
)

// PenstockQuery is a statement on an open database, by the Go API.
const PenstockQuery = "Penstock"

// Singly is the row of PageRank in the precision that GAPBS has.
const Singly = "pagerank, single-precision messages"
