package formats

import "github.com/apache/arrow/go/v15/arrow/memory"

// Options are what a user may say about an input. The zero value guesses everything.
type Options struct {
	// Format names the format; empty: guessed from the file name and the first bytes.
	Format string
	// Columns names the columns after source and target of a plain edge list, and
	// the value of a Matrix Market entry. Default: "weight", then "column4", "column5" …
	Columns []string
	// Delimiter separates the fields of a CSV file; 0: the one of ',' ';' '|' and tab
	// that the header has most of.
	Delimiter byte
	// Left and Right make the graph bipartite: they are the types of the vertices that edges lead from, and to. Ids of
	// the two are apart: user 1 is not item 1. Give both, or none; of a format of bipartite graphs none are its own.
	Left, Right Side
	// Memory is what the whole load may take, in bytes; 0: not bounded. It bounds what
	// readers hold of one row (RowLimit), of archives and of pages.
	Memory int64
	// Progress, when set, is told how many bytes of how many (compressed, over all
	// files) have been read. It is called from the goroutine that reads.
	Progress func(read, total int64)
	// Allocator holds the batches; nil: memory.DefaultAllocator.
	Allocator memory.Allocator
}

// Mem is the allocator to use, never nil.
func (o Options) Mem() memory.Allocator {
	if o.Allocator != nil {
		return o.Allocator
	}
	return memory.DefaultAllocator
}

// Side is one of the two types of vertices of a bipartite graph.
type Side struct {
	Label string // of its vertices
	// Column is the column of a CSV file that holds their ids; "": as for any graph.
	Column string
}
