package store

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/formats/chunk"
)

// defaultMemory is for edges and node properties; what vertices take comes on top.
const defaultMemory = 1 << 30

// loadBuffers is what any load takes: buffers of files, of one worker and of Badger.
const loadBuffers = 8 << 20

// A batch on its way to Badger takes memoryPerBatch-th of Memory, within these bounds.
const memoryPerBatch, leastBatch, mostBatch = 16, 1 << 20, 32 << 20

// What a vertex takes beside its id and degrees: while the order is made and ids are
// written, and from then on.
const orderingBytes, orderedBytes = 40, 16

// MemoryError says that a load needs more than LoadOptions.Memory.
type MemoryError struct {
	Memory int64
	// Least is the smallest Memory that the load can do with. Partial: the rest of the
	// input, which has not been read, may take more.
	Least   int64
	Partial bool
}

func (e *MemoryError) Error() string {
	const mebi = 1 << 20
	least := fmt.Sprintf("%d MiB", (e.Least+mebi-1)/mebi)
	if e.Partial {
		return fmt.Sprintf("%s of memory are too little: what has been read so far takes %s; allow more (--memory, LoadOptions.Memory)",
			humanize.IBytes(uint64(e.Memory)), least)
	}
	return fmt.Sprintf("%s of memory are too little: this load takes at least %s; allow so much (--memory, LoadOptions.Memory)",
		humanize.IBytes(uint64(e.Memory)), least)
}

// batchBytes is how much this load hands to Badger at a time.
func (l *loader) batchBytes() int64 {
	if l.opts.Memory == 0 {
		return mostBatch
	}
	return min(max(l.opts.Memory/memoryPerBatch, leastBatch), mostBatch)
}

// room is what is left for edges and node properties beside tables of so many bytes.
func (l *loader) room(tables int64) int64 {
	if l.opts.Memory == 0 {
		return defaultMemory
	}
	return max(0, l.opts.Memory-loadBuffers-l.batchBytes()-tables)
}

// tableBytes is what is held of vertices while the input is read, and while the degrees grow.
func (l *loader) tableBytes() int64 {
	degrees := max(cap(l.out), l.ids.len())
	if l.directed {
		degrees *= 2
	}
	return l.ids.bytes() + 6*int64(degrees) + 4*int64(cap(l.labels))
}

// keptBytes is what is held of vertices once they are in order.
func (l *loader) keptBytes() int64 {
	return l.tableBytes() + orderedBytes*int64(l.manifest.Vertices)
}

// checkMemory is called before rows are kept: more of them go to files as the tables grow.
func (l *loader) checkMemory() error {
	tables := l.tableBytes()
	if least := withBatch(loadBuffers + tables); l.opts.Memory > 0 && l.opts.Memory < least {
		return &MemoryError{Memory: l.opts.Memory, Least: least, Partial: true}
	}
	room := l.room(tables)
	l.spool.limit = room / 2
	if l.rows != nil {
		l.rows.spool.limit = room / 4
	}
	return nil
}

// checkLeast refuses to go on, once all has been read, with less memory than the rest
// takes. It leaves in memory of what was read what the rest does not need.
func (l *loader) checkLeast() error {
	l.makeDegrees()
	vertices := l.named()
	ordering := l.tableBytes() + orderingBytes*vertices
	built := l.tableBytes() + orderedBytes*vertices
	building := max(l.leastForLists(), l.leastForRows())
	least := withBatch(loadBuffers + max(ordering, built+building))
	if l.opts.Memory > 0 && l.opts.Memory < least {
		return &MemoryError{Memory: l.opts.Memory, Least: least}
	}
	spare := min(l.room(ordering), l.room(built+building))
	if l.rows == nil {
		return l.spool.keep(spare)
	}
	return errors.Join(l.spool.keep(spare*2/3), l.rows.spool.keep(spare/3), l.rows.spool.finish())
}

// withBatch is the smallest Memory that leaves so much beside a batch.
func withBatch(rest int64) int64 {
	share := (rest + memoryPerBatch - 2) / (memoryPerBatch - 1)
	return rest + min(max(share, leastBatch), mostBatch)
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

// leastForLists is what building the lists takes when the entries of one chunk at a
// time are in memory, of the largest that there may be.
func (l *loader) leastForLists() int64 {
	entries, longest := int64(0), int64(0)
	for number := range uint32(l.ids.len()) {
		degree := int64(l.degree(number))
		entries += degree
		longest = max(longest, degree)
	}
	lists := l.lists(chunk.Out, nil, 0)
	each := lists.edgeBytes()
	body := min(max(int64(l.opts.ChunkBytes), longest*each+8), entries*each+4*int64(l.ids.len()))
	if l.form().bare() {
		return withFiles(8*body + 4*int64(l.ids.len())) // see pairsMaking; and twice on its way to Badger
	}
	return 2 * withFiles(body/each*lists.sortBytes()+4*body) // both directions at once
}

// leastForRows is what putting node properties in order takes, a block at a time.
func (l *loader) leastForRows() int64 {
	if l.rows == nil {
		return 0
	}
	return withFiles(min(blockRows, l.rows.rows) * 3 * l.rows.sortBytes())
}
