package load

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
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

// What a vertex takes beside its id and degrees: while the order is made and ids are
// written, and from then on.
const orderingBytes, orderedBytes = 40, 16

// MemoryError says that a load needs more memory than it may take.
type MemoryError struct {
	// Memory is what the load may take. Default: nobody said how much, and it is half of
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

// MemoryBound is what a load with these options may take, in bytes: Memory, or what it is
// when nobody says.
func (o Options) MemoryBound() int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	if have, err := pages.Physical(); err == nil {
		return int64(have / 2)
	}
	return unknownMemory
}

// textCopies is how often values of variable width are held while a block or chunk is made
// of them: as they are gathered and grow, encoded, and on their way to the disk. textFree
// bytes of them are among loadBuffers.
const textCopies, textFree = 6, 1 << 20

// checkText refuses to go on with a block or chunk, what it is called, whose values of
// variable width are so many bytes by now: how large they are is known on average only
// before they are gathered. memory is for gathering them and what is held meanwhile.
func (l *loader) checkText(what string, text, held, memory int64) error {
	if text <= textFree {
		return nil
	}
	if text > tree.MostValue {
		return &failure.TooLargeError{What: "bytes of " + what, Size: uint64(text), Limit: tree.MostValue}
	}
	return l.checkRoom(what, textCopies*text+held, memory)
}

// checkSet is checkRoom for an edgeSet of a bucket whose records differ in size.
func (l *loader) checkSet(what string, b sorting.Bucket, records, memory int64) error {
	const entry = 8 + 4 + 8
	if records <= textFree {
		return nil
	}
	return l.checkRoom(what, entry*int64(b.Edges)+records, memory)
}

// checkRoom refuses to go on when what is to be held is more than the part of Memory that is
// for it.
func (l *loader) checkRoom(what string, held, memory int64) error {
	if l.opts.Memory == 0 {
		memory += l.allRoom(0) - l.room(0)
	}
	if held <= memory {
		return nil
	}
	return &MemoryError{Memory: l.bound, Default: l.opts.Memory == 0, Least: l.bound + held - memory, Partial: true, What: what}
}

// short is nil if the load may take so much memory, else what to say.
func (l *loader) short(least int64) *MemoryError {
	if least <= l.bound {
		return nil
	}
	return &MemoryError{Memory: l.bound, Default: l.opts.Memory == 0, Least: least}
}

// batchBytes is how much this load hands to Badger at a time.
func (l *loader) batchBytes() int64 {
	if l.opts.Memory == 0 {
		return mostBatch
	}
	return min(max(l.opts.Memory/memoryPerBatch, LeastBatch), mostBatch)
}

// room is what is left for edges and node properties beside tables of so many bytes.
func (l *loader) room(tables int64) int64 {
	if l.opts.Memory == 0 {
		return min(defaultMemory, l.allRoom(tables))
	}
	return l.allRoom(tables)
}

// allRoom is room for whatever there is beside tables.
func (l *loader) allRoom(tables int64) int64 {
	return max(0, l.bound-LoadBuffers-l.batchBytes()-tables)
}

// tableBytes is what is held of vertices while the input is read, and while the degrees grow.
func (l *loader) tableBytes() int64 {
	degrees := max(cap(l.out), l.ids.len())
	if l.directed {
		degrees *= 2
	}
	return l.ids.bytes() + 6*int64(degrees) + 4*int64(cap(l.labels)) + l.types.bytes() + l.labelSets.bytes()
}

// keptBytes is what is held of vertices once they are in order.
func (l *loader) keptBytes() int64 {
	return l.tableBytes() + orderedBytes*int64(l.manifest.Vertices)
}

// checkMemory is called before rows are kept: more of them go to files as the tables grow.
func (l *loader) checkMemory() error {
	tables := l.tableBytes()
	if short := l.short(withBatch(LoadBuffers + tables)); short != nil {
		short.Partial = true
		return short
	}
	room := l.room(tables)
	l.spool.Limit = room / 2
	if l.rows != nil {
		l.rows.spool.Limit = room / 4
	}
	return nil
}

// checkDeclared refuses a graph whose vertices, of which a header tells the number, take
// more than there is, before any of them is made.
func (l *loader) checkDeclared() error {
	n := l.schema.Vertices
	if l.schema.Declared == (formats.Position{}) || n <= 0 {
		return nil
	}
	if n > manifest.MaxVertices {
		return &formats.ParseError{
			Position: l.schema.Declared, Found: fmt.Sprintf("%d vertices", n),
			Expected: fmt.Sprintf("at most %d in one graph", int64(manifest.MaxVertices)),
		}
	}
	const id, degree = 8, 6 // as in tableBytes
	tables := (id + degree) * n
	if l.directed {
		tables += degree * n
	}
	if short := l.short(leastBeside(tables, n, l.leastForLists(n, 0, 0))); short != nil {
		short.What, short.Where, short.Partial = fmt.Sprintf("a graph of %d vertices", n), l.schema.Declared, true
		return short
	}
	l.ids.reserve(n)
	return nil
}

// leastBeside is the smallest Memory for so many vertices with these tables, whose lists
// and columns take so much while they are built.
func leastBeside(tables, vertices, building int64) int64 {
	return withBatch(LoadBuffers + tables + max(orderingBytes*vertices, orderedBytes*vertices+building))
}

// checkLeast refuses to go on, once all has been read, with less memory than the rest
// takes. It leaves in memory of what was read what the rest does not need.
func (l *loader) checkLeast() error {
	l.makeDegrees()
	vertices := l.named()
	ordering := l.tableBytes() + orderingBytes*vertices
	built := l.tableBytes() + orderedBytes*vertices
	entries, longest := l.listEntries()
	building := max(l.leastForLists(int64(l.ids.len()), entries, longest), l.leastForRows(), l.leastForIDs())
	if short := l.short(leastBeside(l.tableBytes(), vertices, building)); short != nil {
		return short
	}
	spare := min(l.room(ordering), l.room(built+building))
	if l.rows == nil {
		return l.spool.Keep(spare)
	}
	return errors.Join(l.spool.Keep(spare*2/3), l.rows.spool.Keep(spare/3), l.rows.spool.Finish())
}

// withBatch is the smallest Memory that leaves so much beside a batch.
func withBatch(rest int64) int64 {
	share := (rest + memoryPerBatch - 2) / (memoryPerBatch - 1)
	return rest + min(max(share, LeastBatch), mostBatch)
}

// named is how many vertices there are: integers that idTable covers may name none.
func (l *loader) named() (n int64) {
	for number := range uint32(l.ids.len()) {
		if number < l.declared || l.degree(number) > 0 {
			n++
		}
	}
	return n
}

// listEntries is how many entries all lists have, and the longest of one vertex.
func (l *loader) listEntries() (entries, longest int64) {
	for number := range uint32(l.ids.len()) {
		degree := int64(l.degree(number))
		entries += degree
		longest = max(longest, degree)
	}
	return entries, longest
}

// leastForLists is what building lists of so many numbers and entries takes when the
// entries of one chunk at a time are in memory, of the largest that there may be.
func (l *loader) leastForLists(numbers, entries, longest int64) int64 {
	lists := l.lists(chunk.Out, nil, 0)
	each := lists.edgeBytes()
	body := min(max(int64(l.opts.ChunkBytes), longest*each+8), entries*each+4*numbers)
	if l.form().bare() {
		return sorting.WithFiles(8*body + 4*numbers) // see pairsMaking; and twice on its way to Badger
	}
	return 2 * sorting.WithFiles(body/each*lists.sortBytes()+4*body) // both directions at once
}

// leastForRows is what putting node properties in order takes, a block at a time.
func (l *loader) leastForRows() int64 {
	if l.rows == nil {
		return 0
	}
	rows := min(manifest.BlockRows, l.rows.rows)
	if l.rows.form.exact {
		return sorting.WithFiles(rows * 3 * l.rows.sortBytes())
	}
	return sorting.WithFiles(rows * (l.rows.sortBytes() + textCopies*l.rows.recordBytes()))
}

// leastForIDs is what storing string ids takes, a block at a time, of the longest that
// there may be.
func (l *loader) leastForIDs() int64 {
	return textCopies * max(0, min(l.ids.text, int64(min(manifest.BlockRows, len(l.ids.texts)))*int64(l.ids.longest))-textFree)
}
