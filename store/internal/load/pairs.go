package load

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
	"golang.org/x/sync/errgroup"
)

// pairs makes the chunks of a direction on all processors, of edges that have neither type
// nor properties, or whose records are in memory:
//
//	spool ─entries─▶ files, one a bucket, when there is more than one ─▶ area, in parts ─sort─▶ chunks
//
// A part is some rows of a chunk, so few that a core sorts their entries within its cache.
// In which order the entries of a chunk arrive is chance; sorted, it is not seen.
type pairs struct {
	*lists
	workers int
	area    sorting.Entries
	makers  []pairsMaker
}

// pairsMaker is what a worker makes chunks with: the same memory for one after the other.
type pairsMaker struct {
	sorting.Sorter
	neighbors []uint32
	keys      []uint64 // of edges with records, being sorted
	numbers   []uint32
	records   []byte
}

// newPairs plans how the entries of spans are collected. Unless one chunk takes more, a
// quarter of the memory is for those being made.
func (l *lists) newPairs(spans []sorting.Span) (p *pairs, buckets []sorting.Bucket) {
	each := l.making(spans)
	p = &pairs{lists: l, workers: int(max(1, min(int64(runtime.GOMAXPROCS(0)), l.memory/4/max(1, each))))}
	p.makers = make([]pairsMaker, p.workers)
	return p, sorting.InBuckets(spans, l.memory-int64(p.workers)*each, l.areaBytes())
}

// pairBytes is what an entry takes, and what a ref.
const pairBytes = 8

// areaBytes is what an entry takes in the area.
func (l *lists) areaBytes() int64 {
	if l.form.bare() {
		return pairBytes
	}
	return 2 * pairBytes
}

// making is the most that a chunk takes while it is made: beside its entries in the
// area, these once more, the neighbors and their encoding; degrees added up, offsets and
// vertices, and the encoding of these; columns, as they are gathered and encoded.
func (l *lists) making(spans []sorting.Span) int64 {
	most, columns := uint64(0), uint64(0)
	if !l.form.bare() {
		columns = 8 + 2*uint64(l.edgeBytes()-4)
	}
	for _, s := range spans {
		most = max(most, (16+columns)*s.Edges+16*s.Rows.Count)
	}
	return int64(most)
}

// run makes the chunks.
func (p *pairs) run(ctx context.Context, buckets []sorting.Bucket, chunks int) error {
	p.made = make([]manifest.ChunkInfo, chunks)
	if len(buckets) == 1 {
		return p.fill(ctx, buckets[0], 0, p.entries)
	}
	return p.spill(ctx, buckets)
}

// spill parts the entries on disk, so many buckets at a time as there is memory for the
// buffers of their files.
func (p *pairs) spill(ctx context.Context, buckets []sorting.Bucket) error {
	dir := filepath.Join(p.dir, p.direction.String())
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	number := 0 // of the next chunk
	for group := range slices.Chunk(buckets, sorting.Fan(p.memory)) {
		if err := p.group(ctx, dir, group, &number); err != nil {
			return err
		}
	}
	return nil
}

// group parts the entries of some buckets on disk and fills one bucket after the other.
func (p *pairs) group(ctx context.Context, dir string, buckets []sorting.Bucket, number *int) (err error) {
	files, err := newPairFiles(dir, len(buckets))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.close()) }()
	ends := make([]uint64, len(buckets))
	for i, b := range buckets {
		ends[i] = b.End()
	}
	if err := p.split(ctx, buckets[0].First(), ends, p.entries, files.append); err != nil {
		return err
	}
	for i, b := range buckets {
		from := func(ctx context.Context, use func(worker int, some sorting.Entries) error) error {
			return files.each(ctx, p, i, use)
		}
		if err := p.fill(ctx, b, *number, from); err != nil {
			return err
		}
		*number += len(b.Spans)
	}
	return nil
}

// entrySource yields entries, a few ten thousand at a time, on several workers at once.
type entrySource func(ctx context.Context, use func(worker int, some sorting.Entries) error) error

// fill collects the entries of a bucket and stores its chunks, from number first on.
func (p *pairs) fill(ctx context.Context, b sorting.Bucket, first int, from entrySource) error {
	area := p.clear(b.Edges)
	starts, firsts := make([]uint64, len(b.Spans)+1), make([]int, len(b.Spans)+1)
	var parts []sorting.Span
	for i, s := range b.Spans {
		parts = append(parts, s.Parts(p.degrees)...)
		starts[i+1], firsts[i+1] = starts[i]+s.Edges, len(parts)
	}
	ends, next, at := make([]uint64, len(parts)), make([]atomic.Uint64, len(parts)), uint64(0)
	for i, part := range parts {
		ends[i] = part.Rows.End()
		next[i].Store(at)
		at += part.Edges
	}
	err := p.split(ctx, b.First(), ends, from, func(part int, some sorting.Entries) error {
		end := next[part].Add(some.Len())
		copy(area.Keys[end-some.Len():end], some.Keys)
		if some.Refs != nil {
			copy(area.Refs[end-some.Len():end], some.Refs)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.inParallel(ctx, len(b.Spans), func(worker int) func(int) error {
		return func(i int) error {
			return p.storePairs(b.Spans[i], first+i, parts[firsts[i]:firsts[i+1]], area.Sub(starts[i], starts[i+1]),
				&p.makers[worker])
		}
	})
}

// clear is the area with room for so many entries.
func (p *pairs) clear(edges uint64) sorting.Entries {
	if uint64(cap(p.area.Keys)) < edges {
		p.area.Keys = make([]uint64, edges)
		pages.Huge(p.area.Keys)
		if !p.form.bare() {
			p.area.Refs = make([]uint64, edges)
			pages.Huge(p.area.Refs)
		}
	}
	return p.area.With(int(edges))
}

// split hands the entries that fall into each run of rows, the first of which begins at
// first, to use, which is called on several workers at once. Entries outside all are
// passed over.
func (p *pairs) split(ctx context.Context, first uint64, ends []uint64, from entrySource,
	use func(run int, part sorting.Entries) error) error {
	table := sorting.NewRunTable(first, ends)
	splitters := make([]*sorting.Splitter, p.workers)
	for i := range splitters {
		splitters[i] = table.Splitter()
	}
	all := first == 0 && ends[len(ends)-1] == uint64(len(p.degrees))
	return from(ctx, func(worker int, some sorting.Entries) error {
		if !all {
			some.Keys = within(some.Keys, first, ends[len(ends)-1])
		}
		return splitters[worker].Split(some, use)
	})
}

// within keeps the entries of rows [first, end), in place.
func within(keys []uint64, first, end uint64) []uint64 {
	kept := keys[:0]
	for _, key := range keys {
		if row := key >> 32; first <= row && row < end {
			kept = append(kept, key)
		}
	}
	return kept
}

// inParallel calls what newWork makes, one a worker, with 0 … n-1.
func (p *pairs) inParallel(ctx context.Context, n int, newWork func(worker int) func(int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for worker := range min(p.workers, n) {
		group.Go(func() error {
			work := newWork(worker)
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				if err := errors.Join(ctx.Err(), work(int(i))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// entries is the entrySource of all spooled edges.
func (p *pairs) entries(ctx context.Context, use func(worker int, some sorting.Entries) error) error {
	spool := p.edges.spool
	return p.inParallel(ctx, len(spool.Blocks), func(worker int) func(int) error {
		var buffer []byte
		var some sorting.Entries
		return func(i int) error {
			mark, block, err := spool.Read(i, buffer)
			if err != nil {
				return err
			}
			if spool.File != nil {
				buffer = block
			}
			if p.form.bare() {
				some.Keys = p.appendKeys(some.Keys[:0], block, p.edges.forms[mark].fixed)
			} else {
				some = p.appendRefs(some, i, block, &p.edges.forms[mark])
			}
			return use(worker, some)
		}
	})
}

// appendKeys appends the entries of a block of records of some size.
func (p *pairs) appendKeys(keys []uint64, block []byte, size int) []uint64 {
	for ; len(block) > 0; block = block[size:] {
		source := uint64(p.places.denseID(binary.LittleEndian.Uint32(block)))
		target := uint64(p.places.denseID(binary.LittleEndian.Uint32(block[4:])))
		if p.direction != chunk.In {
			keys = append(keys, source<<32|target)
		}
		if p.direction == chunk.In || p.direction == chunk.Both && source != target {
			keys = append(keys, target<<32|source)
		}
	}
	return keys
}

// storePairs writes chunk number of span s, which has these entries.
func (p *pairs) storePairs(s sorting.Span, number int, parts []sorting.Span, all sorting.Entries,
	maker *pairsMaker) error {
	vertices, offsets := p.topology(s)
	maker.neighbors = slices.Grow(maker.neighbors[:0], len(all.Keys))[:0]
	var columns []chunk.EdgeColumn
	if p.form.bare() {
		p.sortParts(parts, all.Keys, maker)
	} else {
		var err error
		if columns, err = p.sortRecords(parts, all, maker); err != nil {
			return err
		}
		defer release(columns)
	}
	info, err := p.storeChunk(s, uint32(number), vertices, offsets, maker.neighbors, columns)
	p.made[number] = info
	return err
}

// sortParts leaves the neighbors of a chunk's parts with the maker.
func (p *pairs) sortParts(parts []sorting.Span, keys []uint64, maker *pairsMaker) {
	for _, part := range parts {
		sorted := maker.SortLow(keys[:part.Edges], bits.Len(uint(len(p.degrees))))
		maker.neighbors = p.appendNeighbors(maker.neighbors, part, sorted)
		keys = keys[part.Edges:]
	}
}

// appendNeighbors appends the neighbors of ascending entries by row, for which there is
// room: the last pass of the sort, for which the degrees tell where each row begins.
func (p *pairs) appendNeighbors(neighbors []uint32, s sorting.Span, keys []uint64) []uint32 {
	next := make([]uint32, s.Rows.Count)
	end := uint32(0)
	for i, degree := range p.degrees[s.Rows.Base:s.Rows.End()] {
		next[i] = end
		end += degree
	}
	all := neighbors[:len(neighbors)+len(keys)]
	neighbors = all[len(neighbors):]
	for _, key := range keys {
		row := key>>32 - s.Rows.Base
		neighbors[next[row]] = uint32(key)
		next[row]++
	}
	return all
}
