package load

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/sorting"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// defaultMemory is for edges and node properties when LoadOptions.Memory is 0.
const defaultMemory = 1 << 30

// unknownMemory bounds a load on a machine that does not tell how much memory it has.
const unknownMemory = 4 << 30

// LoadBuffers is what any load takes: buffers of files, of one worker and of Badger.
const LoadBuffers = 8 << 20

// A batch on its way to Badger takes memoryPerBatch-th of Memory, within these bounds.
const memoryPerBatch, LeastBatch, mostBatch = 16, 1 << 20, generation.MostBatch

// MemoryError says that a load needs more memory than it may take.
type MemoryError struct {
	// Memory is what the load may take. Default: no option sets it, and it is half of
	// the machine's.
	Memory  int64
	Default bool
	// Least is the smallest Memory that the load can do with. Partial: the rest of the
	// input, which has not been read, may take more.
	Least   int64
	Partial bool
	// What takes so much; empty: the load as a whole. Where is its place in the input, as
	// far as it has one.
	What  string
	Where formats.Position
}

func (e *MemoryError) Error() string {
	const mebi = 1 << 20
	where, has := "", ""
	if e.Where != (formats.Position{}) {
		where = e.Where.String() + ": "
	}
	if e.Default {
		has = ", half of this machine's,"
	}
	what, advice := e.What, "allow so much"
	switch {
	case what == "" && e.Partial:
		what = "what has been read so far"
	case what == "":
		what = "this load"
	}
	if e.Partial {
		advice = "allow more"
	}
	return fmt.Sprintf("%s%s of memory%s are too little: %s takes at least %d MiB; %s (--memory, LoadOptions.Memory)",
		where, humanize.IBytes(uint64(e.Memory)), has, what, (e.Least+mebi-1)/mebi, advice)
}

// MemoryBound is what a load with these options may take, in bytes: Memory, or its default.
func (o Options) MemoryBound() int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	if have, err := pages.Physical(); err == nil {
		return int64(have / 2)
	}
	return unknownMemory
}

// budget is the memory that a load may take.
type budget struct {
	bound int64 // in bytes, see Options.Memory
	given bool  // by Options.Memory; else it is what the machine has
	batch int64 // of bound, for what is handed to Badger at a time
}

// newBudget is the budget of a load. A compaction has no bound unless Memory gives one: were it refused, its changes
// would stay in memory.
func newBudget(opts Options, compaction bool) budget {
	b := budget{bound: opts.MemoryBound(), given: opts.Memory > 0, batch: mostBatch}
	switch {
	case b.given:
		b.batch = min(max(opts.Memory/memoryPerBatch, LeastBatch), mostBatch)
	case compaction:
		b.bound = math.MaxInt64
	}
	return b
}

// room is what is left for edges and node properties beside tables of so many bytes.
func (b budget) room(tables int64) int64 {
	if !b.given {
		return min(defaultMemory, b.allRoom(tables))
	}
	return b.allRoom(tables)
}

// allRoom is room for whatever there is beside tables.
func (b budget) allRoom(tables int64) int64 {
	return max(0, b.bound-LoadBuffers-b.batch-tables)
}

// short is nil if the load may take so much memory, else the error that says how much it lacks.
func (b budget) short(least int64) *MemoryError {
	if least <= b.bound {
		return nil
	}
	return &MemoryError{Memory: b.bound, Default: !b.given, Least: least}
}

// textCopies is how often values of variable width are held while a block or chunk is made
// of them: as they are gathered and grow, encoded, and on their way to the disk. textFree
// bytes of them are among LoadBuffers.
const textCopies, textFree = 6, 1 << 20

// checkText refuses to go on with a block or chunk, what it is called, whose values of
// variable width are so many bytes by now: how large they are is known on average only
// before they are gathered. memory is for gathering them and what is held meanwhile.
func (b budget) checkText(what string, text, held, memory int64) error {
	if text <= textFree {
		return nil
	}
	if text > tree.MostValue {
		return &failure.TooLargeError{What: "bytes of " + what, Size: uint64(text), Limit: tree.MostValue}
	}
	return b.checkRoom(what, textCopies*text+held, memory)
}

// checkSet is checkRoom for an EdgeSet of a bucket whose records differ in size.
func (b budget) checkSet(what string, bucket sorting.Bucket, records, memory int64) error {
	const entry = 8 + 4 + 8
	if records <= textFree {
		return nil
	}
	return b.checkRoom(what, entry*int64(bucket.Edges)+records, memory)
}

// checkRoom refuses to go on when what is to be held is more than the part of the budget that is
// for it.
func (b budget) checkRoom(what string, held, memory int64) error {
	if !b.given {
		memory += b.allRoom(0) - b.room(0)
	}
	if held <= memory {
		return nil
	}
	return &MemoryError{Memory: b.bound, Default: !b.given, Least: b.bound + held - memory, Partial: true, What: what}
}
