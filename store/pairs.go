package store

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
	area    entries
	makers  []pairsMaker
}

// pairsMaker is what a worker makes chunks with: the same memory for one after the other.
type pairsMaker struct {
	sorter
	neighbours []uint32
	keys       []uint64 // of edges with records, being sorted
	numbers    []uint32
	records    []byte
}

// newPairs plans how the entries of spans are collected. Unless one chunk takes more, a
// quarter of the memory is for those being made.
func (l *lists) newPairs(spans []span) (p *pairs, buckets []bucket) {
	each := l.making(spans)
	p = &pairs{lists: l, workers: int(max(1, min(int64(runtime.GOMAXPROCS(0)), l.memory/4/max(1, each))))}
	p.makers = make([]pairsMaker, p.workers)
	return p, inBuckets(spans, l.memory-int64(p.workers)*each, l.areaBytes())
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
// area, these once more, the neighbours and their encoding; degrees added up, offsets and
// vertices, and the encoding of these; columns, as they are gathered and encoded.
func (l *lists) making(spans []span) int64 {
	most, columns := uint64(0), uint64(0)
	if !l.form.bare() {
		columns = 8 + 2*uint64(l.edgeBytes()-4)
	}
	for _, s := range spans {
		most = max(most, (16+columns)*s.edges+16*s.rows.Count)
	}
	return int64(most)
}

// run makes the chunks.
func (p *pairs) run(ctx context.Context, buckets []bucket, chunks int) error {
	p.made = make([]manifest.ChunkInfo, chunks)
	if len(buckets) == 1 {
		return p.fill(ctx, buckets[0], 0, p.entries)
	}
	return p.spill(ctx, buckets)
}

// spill parts the entries on disk, so many buckets at a time as there is memory for the
// buffers of their files.
func (p *pairs) spill(ctx context.Context, buckets []bucket) error {
	dir := filepath.Join(p.load.dir, p.direction.String())
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	number := 0 // of the next chunk
	for group := range slices.Chunk(buckets, fan(p.memory)) {
		if err := p.group(ctx, dir, group, &number); err != nil {
			return err
		}
	}
	return nil
}

// group parts the entries of some buckets on disk and fills one bucket after the other.
func (p *pairs) group(ctx context.Context, dir string, buckets []bucket, number *int) (err error) {
	files, err := newPairFiles(dir, len(buckets))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.close()) }()
	ends := make([]uint64, len(buckets))
	for i, b := range buckets {
		ends[i] = b.end()
	}
	if err := p.split(ctx, buckets[0].first(), ends, p.entries, files.append); err != nil {
		return err
	}
	for i, b := range buckets {
		from := func(ctx context.Context, use func(worker int, some entries) error) error {
			return files.each(ctx, p, i, use)
		}
		if err := p.fill(ctx, b, *number, from); err != nil {
			return err
		}
		*number += len(b.spans)
	}
	return nil
}

// entrySource yields entries, a few ten thousand at a time, on several workers at once.
type entrySource func(ctx context.Context, use func(worker int, some entries) error) error

// fill collects the entries of a bucket and stores its chunks, from number first on.
func (p *pairs) fill(ctx context.Context, b bucket, first int, from entrySource) error {
	area := p.clear(b.edges)
	starts, firsts := make([]uint64, len(b.spans)+1), make([]int, len(b.spans)+1)
	var parts []span
	for i, s := range b.spans {
		parts = append(parts, s.parts(p.degrees)...)
		starts[i+1], firsts[i+1] = starts[i]+s.edges, len(parts)
	}
	ends, next, at := make([]uint64, len(parts)), make([]atomic.Uint64, len(parts)), uint64(0)
	for i, part := range parts {
		ends[i] = part.rows.End()
		next[i].Store(at)
		at += part.edges
	}
	err := p.split(ctx, b.first(), ends, from, func(part int, some entries) error {
		end := next[part].Add(some.len())
		copy(area.keys[end-some.len():end], some.keys)
		if some.refs != nil {
			copy(area.refs[end-some.len():end], some.refs)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.inParallel(ctx, len(b.spans), func(worker int) func(int) error {
		return func(i int) error {
			return p.storePairs(b.spans[i], first+i, parts[firsts[i]:firsts[i+1]], area.sub(starts[i], starts[i+1]), &p.makers[worker])
		}
	})
}

// clear is the area with room for so many entries.
func (p *pairs) clear(edges uint64) entries {
	if uint64(cap(p.area.keys)) < edges {
		p.area.keys = make([]uint64, edges)
		pages.Huge(p.area.keys)
		if !p.form.bare() {
			p.area.refs = make([]uint64, edges)
			pages.Huge(p.area.refs)
		}
	}
	return p.area.with(int(edges))
}

// split hands the entries that fall into each run of rows, the first of which begins at
// first, to use, which is called on several workers at once. Entries outside all are
// passed over.
func (p *pairs) split(ctx context.Context, first uint64, ends []uint64, from entrySource, use func(run int, part entries) error) error {
	table := newRunTable(first, ends)
	splitters := make([]*splitter, p.workers)
	for i := range splitters {
		splitters[i] = table.splitter()
	}
	all := first == 0 && ends[len(ends)-1] == uint64(len(p.degrees))
	return from(ctx, func(worker int, some entries) error {
		if !all {
			some.keys = within(some.keys, first, ends[len(ends)-1])
		}
		return splitters[worker].split(some, use)
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
func (p *pairs) entries(ctx context.Context, use func(worker int, some entries) error) error {
	spool := p.load.spool
	return p.inParallel(ctx, len(spool.blocks), func(worker int) func(int) error {
		var buffer []byte
		var some entries
		return func(i int) error {
			mark, block, err := spool.read(i, buffer)
			if err != nil {
				return err
			}
			if spool.file != nil {
				buffer = block
			}
			if p.form.bare() {
				some.keys = p.appendKeys(some.keys[:0], block, p.load.forms[mark].fixed)
			} else {
				some = p.appendRefs(some, i, block, &p.load.forms[mark])
			}
			return use(worker, some)
		}
	})
}

// appendKeys appends the entries of a block of records of some size.
func (p *pairs) appendKeys(keys []uint64, block []byte, size int) []uint64 {
	for ; len(block) > 0; block = block[size:] {
		source := uint64(p.load.denseID(binary.LittleEndian.Uint32(block)))
		target := uint64(p.load.denseID(binary.LittleEndian.Uint32(block[4:])))
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
func (p *pairs) storePairs(s span, number int, parts []span, all entries, maker *pairsMaker) error {
	vertices, offsets := p.topology(s)
	maker.neighbours = slices.Grow(maker.neighbours[:0], len(all.keys))[:0]
	var columns []chunk.EdgeColumn
	if p.form.bare() {
		p.sortParts(parts, all.keys, maker)
	} else {
		var err error
		if columns, err = p.sortRecords(parts, all, maker); err != nil {
			return err
		}
		defer release(columns)
	}
	info, err := p.storeChunk(s, uint32(number), vertices, offsets, maker.neighbours, columns)
	p.made[number] = info
	return err
}

// sortParts leaves the neighbours of a chunk's parts with the maker.
func (p *pairs) sortParts(parts []span, keys []uint64, maker *pairsMaker) {
	for _, part := range parts {
		sorted := maker.sortLow(keys[:part.edges], bits.Len(uint(len(p.degrees))))
		maker.neighbours = p.appendNeighbours(maker.neighbours, part, sorted)
		keys = keys[part.edges:]
	}
}

// appendNeighbours appends the neighbours of ascending entries by row, for which there is
// room: the last pass of the sort, for which the degrees tell where each row begins.
func (p *pairs) appendNeighbours(neighbours []uint32, s span, keys []uint64) []uint32 {
	next := make([]uint32, s.rows.Count)
	end := uint32(0)
	for i, degree := range p.degrees[s.rows.Base:s.rows.End()] {
		next[i] = end
		end += degree
	}
	all := neighbours[:len(neighbours)+len(keys)]
	neighbours = all[len(neighbours):]
	for _, key := range keys {
		row := key>>32 - s.rows.Base
		neighbours[next[row]] = uint32(key)
		next[row]++
	}
	return all
}
