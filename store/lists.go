package store

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// lists turns the spooled edges into the chunks of one direction:
//
//	spool ─entries─▶ scatter ─sorted─▶ chunks
//
// All degrees are known beforehand, so rows are cut into chunks, and chunks collected
// in buckets that fit the memory, before the first entry is placed; no merge is needed.
type lists struct {
	load      *loader
	direction chunk.Direction
	degrees   []uint32
	form      recordForm
	memory    int64 // for one bucket
	made      []ChunkInfo
}

// build stores the chunks and returns their list.
func (l *lists) build(ctx context.Context) ([]ChunkInfo, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	spans := l.plan()
	if p, buckets := l.newPairs(spans); l.parallel(buckets) {
		err := p.run(ctx, buckets, len(spans))
		return l.made, err
	}
	making := int64(0)
	for _, s := range spans {
		making = max(making, 3*int64(s.body(uint64(l.edgeBytes()))))
	}
	s := &scatter{
		dir: filepath.Join(l.load.dir, l.direction.String()), memory: l.memory, rests: l.rests(), newSet: l.newSet,
		each: func(yield func(row, neighbour uint32, rest []byte) error) error { return l.entries(ctx, yield) },
		emit: func(b bucket, set *edgeSet) error { return l.emit(ctx, b, set) },
	}
	err := s.run(inBuckets(spans, l.memory-making, l.sortBytes()))
	return l.made, err
}

func (l *lists) plan() []span {
	return plan(l.degrees, uint64(l.edgeBytes()), uint64(l.load.opts.ChunkBytes))
}

// parallel says whether the entries that pairs would collect in these buckets can be
// made chunks of by all processors.
func (l *lists) parallel(buckets []bucket) bool {
	return l.form.bare() || len(buckets) <= 1 && l.load.spool.file == nil
}

// edgeBytes is what one entry takes in a chunk; for columns of variable width, the average.
func (l *lists) edgeBytes() int64 {
	if l.direction == chunk.In {
		return int64(l.form.fixed - 4)
	}
	return max(4, l.load.recordBytes()-4)
}

// sortBytes is what one entry takes while its bucket is sorted.
func (l *lists) sortBytes() int64 {
	const keys, numbers, starts = 16, 8, 8
	return keys + numbers + starts + l.load.recordBytes()
}

// check refuses lists that one stored value cannot hold.
func (l *lists) check() error {
	for v, degree := range l.degrees {
		if size := uint64(degree) * uint64(l.edgeBytes()); size > mostValue {
			return &failure.TooLargeError{What: fmt.Sprintf("bytes of the edges of vertex %s", l.load.userID(uint64(v))), Size: size, Limit: mostValue}
		}
	}
	return nil
}

// rests is how many bytes the records of all entries are without their ends.
func (l *lists) rests() int64 {
	once := l.load.spool.size - 8*int64(l.load.manifest.Edges)
	if l.direction == chunk.Both {
		return 2 * once
	}
	return once
}

func (l *lists) newSet(b bucket, rests int64) (*edgeSet, error) {
	width := 0
	if l.form.exact || l.direction == chunk.In {
		width = l.form.fixed - 8
		rests = int64(width) * int64(b.edges)
	} else if err := l.load.checkSet("a part of the edges with their properties, to be sorted,", b, rests, l.memory); err != nil {
		return nil, err
	}
	return newEdgeSet(b.edges, width, rests), nil
}

// entries yields every list entry of the direction, in input order. rest is the
// record without its ends; in-lists carry no columns of variable width.
func (l *lists) entries(ctx context.Context, yield func(row, neighbour uint32, rest []byte) error) error {
	return l.load.edges(ctx, func(source, target uint32, rest []byte) error {
		switch l.direction {
		case chunk.Out:
			return yield(source, target, rest)
		case chunk.In:
			return yield(target, source, rest[:l.form.fixed-8])
		}
		if err := yield(source, target, rest); err != nil || source == target {
			return err
		}
		return yield(target, source, rest)
	})
}

// emit stores a bucket's chunks.
func (l *lists) emit(ctx context.Context, b bucket, set *edgeSet) error {
	from := uint64(0)
	for _, s := range b.spans {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.store(s, set, from); err != nil {
			return err
		}
		from += s.edges
	}
	return nil
}

// store writes the chunk of span s, whose entries begin at from.
func (l *lists) store(s span, set *edgeSet, from uint64) error {
	columns, err := l.columns(set, from, from+s.edges)
	defer release(columns)
	if err != nil {
		return err
	}
	vertices, offsets := l.topology(s)
	info, err := l.storeChunk(s, uint32(len(l.made)), vertices, offsets, neighbours(set.keys[from:from+s.edges]), columns)
	l.made = append(l.made, info)
	return err
}

// storeChunk writes a chunk of the rows of s.
func (l *lists) storeChunk(s span, number uint32, vertices []uint32, offsets []int32, neighbours []uint32, columns []chunk.EdgeColumn) (ChunkInfo, error) {
	g := l.load.generation
	meta := chunk.Meta{
		Graph: g.graph, Snapshot: g.number, Direction: l.direction,
		Rows: s.rows, Cols: chunk.Interval{Count: uint64(len(l.degrees))},
	}
	c, err := chunk.FromCSR(g.db.mem, meta, vertices, offsets, neighbours, columns)
	if err != nil {
		return ChunkInfo{}, err
	}
	defer c.Release()
	l.load.see(c)
	return g.putChunk(c, number)
}

// topology is the chunk's vertex column (nil: every row) and its offsets.
func (l *lists) topology(s span) (vertices []uint32, offsets []int32) {
	sparse := s.sparse()
	if sparse {
		vertices = make([]uint32, 0, s.present)
	}
	offsets = append(offsets, 0)
	end := int32(0)
	for i, degree := range l.degrees[s.rows.Base:s.rows.End()] {
		end += int32(degree)
		if sparse && degree == 0 {
			continue
		}
		if sparse {
			vertices = append(vertices, uint32(i))
		}
		offsets = append(offsets, end)
	}
	return vertices, offsets
}

func neighbours(keys []uint64) []uint32 {
	all := make([]uint32, len(keys))
	for i, k := range keys {
		all[i] = uint32(k)
	}
	return all
}

// columns are the edge columns of entries [from, to).
func (l *lists) columns(set *edgeSet, from, to uint64) ([]chunk.EdgeColumn, error) {
	held := set.bytes()
	r := newRecordReader(l.form, l.load.typeField(), l.direction != chunk.In, int(to-from))
	for i := from; i < to; i++ {
		r.append(set.record(i))
		if err := l.checkText(r, held); err != nil {
			return nil, err
		}
	}
	return r.columns(), nil
}

// checkText is loader.checkText for the columns of a chunk.
func (l *lists) checkText(r *recordReader, held int64) error {
	if r.text <= textFree {
		return nil
	}
	return l.load.checkText("a chunk of edges with their properties", r.text, held, l.memory)
}

func release(columns []chunk.EdgeColumn) {
	for _, c := range columns {
		c.Values.Release()
	}
}
