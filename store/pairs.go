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
	"golang.org/x/sync/errgroup"
)

// pairs makes the chunks of a direction of edges that have neither type nor properties,
// on all processors:
//
//	spool ─entries─▶ files, one a bucket, when there is more than one ─▶ area, in parts ─sort─▶ chunks
//
// A part is some rows of a chunk, so few that a core sorts their entries within its cache.
// An entry is row<<32 | neighbour. In which order the entries of a chunk arrive is
// chance; sorted, it is not seen.
type pairs struct {
	*lists
	workers int
	area    []uint64
	makers  []pairsMaker
}

// pairsMaker is what a worker makes chunks with: the same memory for one after the other.
type pairsMaker struct {
	sorter
	neighbours []uint32
}

// pairBytes is what an entry takes in the area.
const pairBytes = 8

// buildPairs is build for such edges. Unless one chunk takes more, a quarter of the memory
// is for those being made.
func (l *lists) buildPairs(ctx context.Context, spans []span) error {
	each := pairsMaking(spans)
	p := &pairs{lists: l, workers: int(max(1, min(int64(runtime.GOMAXPROCS(0)), l.memory/4/max(1, each))))}
	p.makers = make([]pairsMaker, p.workers)
	l.made = make([]ChunkInfo, len(spans))
	buckets := inBuckets(spans, l.memory-int64(p.workers)*each, pairBytes)
	if len(buckets) == 1 {
		return p.fill(ctx, buckets[0], 0, p.entries)
	}
	return p.spill(ctx, buckets)
}

// pairsMaking is the most that a chunk takes while it is made: beside its entries in the
// area, these once more, the neighbours and their encoding; degrees added up, offsets and
// vertices, and the encoding of these.
func pairsMaking(spans []span) int64 {
	most := uint64(0)
	for _, s := range spans {
		most = max(most, 16*s.edges+16*s.rows.Count)
	}
	return int64(most)
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
		from := func(ctx context.Context, use func(worker int, keys []uint64) error) error {
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
type entrySource func(ctx context.Context, use func(worker int, keys []uint64) error) error

// fill collects the entries of a bucket and stores its chunks, from number first on.
func (p *pairs) fill(ctx context.Context, b bucket, first int, from entrySource) error {
	if uint64(cap(p.area)) < b.edges {
		p.area = make([]uint64, b.edges)
		pages.Huge(p.area)
	}
	area := p.area[:b.edges]
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
	err := p.split(ctx, b.first(), ends, from, func(part int, keys []uint64) error {
		end := next[part].Add(uint64(len(keys)))
		copy(area[end-uint64(len(keys)):end], keys)
		return nil
	})
	if err != nil {
		return err
	}
	return p.inParallel(ctx, len(b.spans), func(worker int) func(int) error {
		return func(i int) error {
			return p.storePairs(b.spans[i], first+i, parts[firsts[i]:firsts[i+1]], area[starts[i]:starts[i+1]], &p.makers[worker])
		}
	})
}

// split hands the entries that fall into each run of rows, the first of which begins at
// first, to use, which is called on several workers at once. Entries outside all are
// passed over.
func (p *pairs) split(ctx context.Context, first uint64, ends []uint64, from entrySource, use func(run int, keys []uint64) error) error {
	table := newRunTable(first, ends)
	splitters := make([]*splitter, p.workers)
	for i := range splitters {
		splitters[i] = table.splitter()
	}
	all := first == 0 && ends[len(ends)-1] == uint64(len(p.degrees))
	return from(ctx, func(worker int, keys []uint64) error {
		if !all {
			keys = within(keys, first, ends[len(ends)-1])
		}
		return splitters[worker].split(keys, use)
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
func (p *pairs) entries(ctx context.Context, use func(worker int, keys []uint64) error) error {
	spool := p.load.spool
	return p.inParallel(ctx, len(spool.blocks), func(worker int) func(int) error {
		var buffer []byte
		var keys []uint64
		return func(i int) error {
			mark, block, err := spool.read(i, buffer)
			if err != nil {
				return err
			}
			if spool.file != nil {
				buffer = block
			}
			keys = p.appendKeys(keys[:0], block, p.load.forms[mark].fixed)
			return use(worker, keys)
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
func (p *pairs) storePairs(s span, number int, parts []span, keys []uint64, maker *pairsMaker) error {
	vertices, offsets := p.topology(s)
	maker.neighbours = slices.Grow(maker.neighbours[:0], len(keys))[:0]
	for _, part := range parts {
		sorted := maker.sortLow(keys[:part.edges], bits.Len(uint(len(p.degrees))))
		maker.neighbours = p.appendNeighbours(maker.neighbours, part, sorted)
		keys = keys[part.edges:]
	}
	info, err := p.storeChunk(s, uint32(number), vertices, offsets, maker.neighbours, nil)
	p.made[number] = info
	return err
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
