package load

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
	"github.com/penstock-db/penstock/store/internal/tree"
	"golang.org/x/sync/errgroup"
)

// lists turns the spooled edges into the chunks of one direction:
//
//	spool ─entries─▶ scatter ─sorted─▶ chunks
//
// All degrees are known beforehand, so rows are cut into chunks, and chunks collected
// in buckets that fit the memory, before the first entry is placed; no merge is needed.
type lists struct {
	listing
	direction chunk.Direction
	degrees   []uint32
	memory    int64 // for one bucket
	made      []manifest.ChunkInfo
}

// listing is what the lists of both directions are made of, and where they go.
type listing struct {
	edges      *edgeSpool
	form       recordForm // of edges
	places     *places
	generation *generation.Generation
	locality   *locality
	budget     budget
	chunkBytes int
	dir        string // for temporary files
}

// lists are those of one direction, to be built within memory.
func (l listing) lists(d chunk.Direction, degrees []uint32, memory int64) *lists {
	return &lists{listing: l, direction: d, degrees: degrees, memory: memory}
}

// write builds both directions, or the one symmetric set, and returns their chunks: the one that is not there has
// none. Where pairs keeps all processors busy it is one direction after the other, else both at once.
func (l listing) write(ctx context.Context, d degrees, memory int64) (both, outs, ins []manifest.ChunkInfo, err error) {
	if !d.directed {
		both, err = l.lists(chunk.Both, d.out, memory).build(ctx)
		return both, nil, nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	out, in := l.lists(chunk.Out, d.out, memory), l.lists(chunk.In, d.in, memory)
	if _, buckets := out.newPairs(out.plan()); out.parallel(buckets) {
		group.SetLimit(1)
	} else {
		out.memory, in.memory = memory/2, memory/2
	}
	group.Go(func() (err error) {
		outs, err = out.build(ctx)
		return err
	})
	group.Go(func() (err error) {
		ins, err = in.build(ctx)
		return err
	})
	err = group.Wait()
	return nil, outs, ins, err
}

// build stores the chunks and returns their list.
func (l *lists) build(ctx context.Context) ([]manifest.ChunkInfo, error) {
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
		making = max(making, 3*int64(s.Body(uint64(l.edgeBytes()))))
	}
	s := &sorting.Scatter{
		Dir: filepath.Join(l.dir, l.direction.String()), Memory: l.memory, Rests: l.rests(), NewSet: l.newSet,
		Each: func(yield func(row, neighbor uint32, rest []byte) error) error { return l.entries(ctx, yield) },
		Emit: func(b sorting.Bucket, set *sorting.EdgeSet) error { return l.emit(ctx, b, set) },
	}
	err := s.Run(sorting.InBuckets(spans, l.memory-making, l.edges.sortBytes()))
	return l.made, err
}

func (l *lists) plan() []sorting.Span {
	return sorting.Plan(l.degrees, uint64(l.edgeBytes()), uint64(l.chunkBytes))
}

// parallel says whether the entries that pairs would collect in these buckets can be
// made chunks of by all processors.
func (l *lists) parallel(buckets []sorting.Bucket) bool {
	return l.form.bare() || len(buckets) <= 1 && l.edges.spool.File == nil
}

// edgeBytes is what one entry takes in a chunk.
func (l *lists) edgeBytes() int64 { return l.edges.entryBytes(l.direction) }

// check refuses lists that one stored value cannot hold.
func (l *lists) check() error {
	for v, degree := range l.degrees {
		if size := uint64(degree) * uint64(l.edgeBytes()); size > tree.MostValue {
			what := fmt.Sprintf("bytes of the edges of vertex %s", l.places.userID(uint64(v)))
			return &failure.TooLargeError{What: what, Size: size, Limit: tree.MostValue}
		}
	}
	return nil
}

// rests is how many bytes the records of all entries are without their ends.
func (l *lists) rests() int64 {
	once := l.edges.spool.Size - 8*int64(l.edges.count)
	if l.direction == chunk.Both {
		return 2 * once
	}
	return once
}

// unsortedEdges is what is held of edges to be sorted.
const unsortedEdges = "a part of the edges with their properties, to be sorted,"

func (l *lists) newSet(b sorting.Bucket, rests int64) (*sorting.EdgeSet, error) {
	width := 0
	if l.form.exact || l.direction == chunk.In {
		width = l.form.fixed - 8
		rests = int64(width) * int64(b.Edges)
	} else if err := l.budget.checkSet(unsortedEdges, b, rests, l.memory); err != nil {
		return nil, err
	}
	return sorting.NewEdgeSet(b.Edges, width, rests), nil
}

// entries yields every list entry of the direction, in input order. rest is the
// record without its ends; in-lists carry no columns of variable width.
func (l *lists) entries(ctx context.Context, yield func(row, neighbor uint32, rest []byte) error) error {
	return l.edges.each(ctx, l.places, func(source, target uint32, rest []byte) error {
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
func (l *lists) emit(ctx context.Context, b sorting.Bucket, set *sorting.EdgeSet) error {
	from := uint64(0)
	for _, s := range b.Spans {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.store(s, set, from); err != nil {
			return err
		}
		from += s.Edges
	}
	return nil
}

// store writes the chunk of span s, whose entries begin at from.
func (l *lists) store(s sorting.Span, set *sorting.EdgeSet, from uint64) error {
	columns, err := l.columns(set, from, from+s.Edges)
	defer release(columns)
	if err != nil {
		return err
	}
	vertices, offsets := l.topology(s)
	neighbors := neighbors(set.Keys[from : from+s.Edges])
	info, err := l.storeChunk(s, uint32(len(l.made)), vertices, offsets, neighbors, columns)
	l.made = append(l.made, info)
	return err
}

// storeChunk writes a chunk of the rows of s.
func (l *lists) storeChunk(
	s sorting.Span, number uint32, vertices []uint32, offsets []int32, neighbors []uint32, columns []chunk.EdgeColumn,
) (manifest.ChunkInfo, error) {
	g := l.generation
	meta := chunk.Meta{
		Graph: g.Graph, Snapshot: g.Number, Direction: l.direction,
		Rows: s.Rows, Cols: chunk.Interval{Count: uint64(len(l.degrees))},
	}
	c, err := chunk.FromCSR(g.Mem, meta, vertices, offsets, neighbors, columns)
	if err != nil {
		return manifest.ChunkInfo{}, err
	}
	defer c.Release()
	l.locality.see(c)
	return g.PutChunk(c, number)
}

// topology is the chunk's vertex column (nil: every row) and its offsets.
func (l *lists) topology(s sorting.Span) (vertices []uint32, offsets []int32) {
	sparse := s.Sparse()
	if sparse {
		vertices = make([]uint32, 0, s.Present)
	}
	offsets = append(offsets, 0)
	end := int32(0)
	for i, degree := range l.degrees[s.Rows.Base:s.Rows.End()] {
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

func neighbors(keys []uint64) []uint32 {
	all := make([]uint32, len(keys))
	for i, k := range keys {
		all[i] = uint32(k)
	}
	return all
}

// columns are the edge columns of entries [from, to).
func (l *lists) columns(set *sorting.EdgeSet, from, to uint64) ([]chunk.EdgeColumn, error) {
	held := set.Bytes()
	r := newRecordReader(l.form, l.edges.typeField(), l.direction != chunk.In, int(to-from))
	for i := from; i < to; i++ {
		r.append(set.Record(i))
		if err := l.checkText(r, held); err != nil {
			return nil, err
		}
	}
	return r.columns(), nil
}

// checkText is budget.checkText for the columns of a chunk.
func (l *lists) checkText(r *recordReader, held int64) error {
	if r.text <= textFree {
		return nil
	}
	return l.budget.checkText("a chunk of edges with their properties", r.text, held, l.memory)
}

func release(columns []chunk.EdgeColumn) {
	for _, c := range columns {
		c.Values.Release()
	}
}
