package supply

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/packed"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Supply gets the chunks of one run to where a device reads them.
type Supply struct {
	Cache *Cache

	snap    *store.Snapshot
	chunks  []plan.Chunk
	columns []string // edge columns that chunks are projected to
	scarce  bool     // read past the system's cache, which would not keep what is read until it is read again
	packed  *packed.Copies
	rec     *meter.Recorder
	// Divided tells of chunks that devices are given parts of, which are there: they need not be read; nil: of none.
	Divided func(number int) bool

	looking []sync.Mutex // by chunk: one looks at it for the first time, and others wait for what it has seen

	mu     sync.Mutex // protects the following: several goroutines look at chunks
	spare  [][]byte   // memory of chunks that lists have been taken out of
	views  map[int]*chunk.Chunk
	copies int // bytes of views that are copies
}

// New supplies these chunks of a snapshot, projected to edge columns.
func New(snap *store.Snapshot, cache *Cache, chunks []plan.Chunk, columns []string, rec *meter.Recorder) *Supply {
	return &Supply{Cache: cache, snap: snap, chunks: chunks, columns: columns, rec: rec, packed: packed.New(),
		views: map[int]*chunk.Chunk{}, looking: make([]sync.Mutex, len(chunks))}
}

// For supplies the chunks of a plan.
func For(p *plan.Plan, snap *store.Snapshot, cache *Cache, rec *meter.Recorder) *Supply {
	s := New(snap, cache, p.Chunks, p.EdgeNames, rec)
	s.scarce = p.Fit.Scarce
	return s
}

// Supplies tells whether s has the chunks of a plan, read in the same way.
func (s *Supply) Supplies(p *plan.Plan) bool {
	same := func(a, b plan.Chunk) bool { return a.Name() == b.Name() && a.Size == b.Size }
	return s.scarce == p.Fit.Scarce && slices.Equal(s.columns, p.EdgeNames) && slices.EqualFunc(s.chunks, p.Chunks, same)
}

// Loaded is a chunk in its place.
type Loaded struct {
	Chunk int // its number
	At    Place
	Err   error
}

// Read reads chunks into the ranges that at finds for them and yields them in the
// order asked for, while the next are being read. It ends at the first error.
func (s *Supply) Read(ctx context.Context, chunks []int, at func(int) arena.Range) iter.Seq[Loaded] {
	tasks := func(context.Context) iter.Seq[int] { return slices.Values(chunks) }
	all := InOrder(ctx, tasks, func(ctx context.Context, i int) Loaded { return s.Load(ctx, i, at(i)) })
	return func(yield func(Loaded) bool) {
		for l := range all {
			if !yield(l) || l.Err != nil {
				return
			}
		}
	}
}

// Load reads one chunk to its own place and sees that no edge lacks a value. A chunk that
// is there already need not be read.
func (s *Supply) Load(ctx context.Context, i int, at arena.Range) Loaded {
	name, mapped := s.chunks[i].Name(), s.Cache.Mapped()
	if there, ok := s.Cache.Has(name); ok && (there.File == "" || mapped) {
		return Loaded{Chunk: i, At: there}
	}
	began := time.Now()
	there, err := Place{}, errors.ErrUnsupported
	if mapped && s.Cache.files != nil {
		there, err = s.locate(ctx, i)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		there.Range, err = s.copy(ctx, i, at)
	}
	if err != nil {
		return Loaded{Err: err}
	}
	s.rec.Meter.Loaded(min(int(there.Length), s.chunks[i].Size), time.Since(began))
	s.rec.Trace.Stage("read", began, there.Length)
	s.Cache.Fill(name, there)
	return Loaded{Chunk: i, At: there}
}

// ReadTo reads a chunk to the start of a range, and tells where it lies, or would lie if it were not Divided.
func (s *Supply) ReadTo(ctx context.Context, i int, at arena.Range) (arena.Range, error) {
	if s.Divided != nil && s.Divided(i) {
		return arena.Range{Offset: at.Offset, Length: uint64(s.chunks[i].Size)}, nil
	}
	began := time.Now()
	at.Length = min(at.Length, plan.SlotBytes(uint64(s.chunks[i].Size)))
	at, err := s.copy(ctx, i, at)
	if err == nil {
		s.rec.Meter.Loaded(int(at.Length), time.Since(began))
		s.rec.Trace.Stage("read", began, at.Length)
	}
	return at, err
}

// Placed is where a chunk lies that has a place of its own in the arena: it is read when it is first asked for.
func (s *Supply) Placed(ctx context.Context, i int) (arena.Range, error) {
	c := s.chunks[i]
	if there, ok := s.Cache.Has(c.Name()); ok && there.File == "" {
		return there.Range, nil
	}
	at, err := s.ReadTo(ctx, i, c.At)
	if err == nil {
		s.Cache.Fill(c.Name(), Place{Range: at})
	}
	return at, err
}

// locate finds a chunk where it is stored, for a device that reads it there, unless an edge
// lacks a value.
func (s *Supply) locate(ctx context.Context, i int) (Place, error) {
	at, err := s.snap.LocateChunk(ctx, s.chunks[i].Info, s.columns, s.lacksNothing)
	return Place{at.Path, arena.Range{Offset: uint64(at.Offset), Length: uint64(at.Length)}}, err
}

// copy reads a chunk into a range of the arena, which shrinks to what it really takes.
func (s *Supply) copy(ctx context.Context, i int, at arena.Range) (arena.Range, error) {
	s.Cache.Arena.Populate(at)
	dst, err := s.Cache.Arena.Bytes(at)
	if err != nil {
		return at, err
	}
	n, err := s.readChunk(ctx, i, dst)
	if err == nil {
		err = s.complete(ctx, dst[:n])
	}
	at.Length = uint64(n)
	return at, err
}

// readChunk reads a chunk into dst: past the system's cache, where that is too small to keep it, and then perhaps of a
// packed copy.
func (s *Supply) readChunk(ctx context.Context, i int, dst []byte) (int, error) {
	if !s.scarce {
		return s.snap.ReadChunk(ctx, s.chunks[i].Info, s.columns, dst)
	}
	if n, read, ok := s.packed.Read(i, dst); ok {
		s.rec.Meter.ReadUncached(nil)
		s.rec.Meter.Spared(n - read)
		return n, ctx.Err()
	}
	began := time.Now()
	n, cached, err := s.snap.ReadChunkUncached(ctx, s.chunks[i].Info, s.columns, dst)
	if err == nil {
		s.rec.Meter.ReadUncached(cached)
	}
	if err == nil && cached == nil {
		s.packed.Offer(i, dst[:n], time.Since(began))
	}
	return n, err
}
