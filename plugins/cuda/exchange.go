package cuda

import (
	"context"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// exchanged are accumulators or states in the arena, and the vertices that a command is about.
type exchanged struct {
	bytes []byte
	width uint64
	among []uint64 // nil: everybody
}

func (s *session) exchanged(c plugins.Command) (x exchanged, err error) {
	p := s.program
	x.width = kit.Width(p.lowered.AccType)
	if x.bytes, err = s.job.Arena.Bytes(c.At); err != nil || uint64(len(x.bytes)) < uint64(p.n)*x.width {
		return x, plugins.Errorf(plugins.KindInvalid, "the column to exchange: %d bytes for %d vertices: %w", len(x.bytes),
			p.n, err)
	}
	if c.Among != (arena.Range{}) {
		x.among, err = kit.OpenBitmap(s.job.Arena, c.Among, p.n)
	}
	return x, err
}

// members calls do for each vertex among them.
func (x exchanged) members(n int, do func(v int)) {
	if x.among != nil {
		for v := range bitmap.Members(x.among) {
			do(v)
		}
		return
	}
	for v := range n {
		do(v)
	}
}

// load is the value of a vertex, which another process may be writing.
func (x exchanged) load(v int) uint64 {
	if x.width == 1 {
		return uint64(x.bytes[v])
	}
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&x.bytes[8*v])))
}

func (x exchanged) store(v int, bits uint64) {
	if x.width == 1 {
		x.bytes[v] = byte(bits)
		return
	}
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&x.bytes[8*v])), bits)
}

// gather writes what has come to a column of accumulators, and forgets it.
func (s *session) gather(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	p := s.program
	x, err := s.exchanged(c)
	if err != nil {
		return nil, err
	}
	acc, err := s.fetchAcc(ctx)
	if err != nil {
		return nil, err
	}
	x.members(p.n, func(v int) { x.store(v, p.fromAcc(acc[v])) })
	return s.streams.Timed(s.streams.Computing, func() error {
		return p.template.Forget(s.streams.Computing, p.kernel)
	})
}

// fetchAcc copies the accumulators here.
func (s *session) fetchAcc(ctx context.Context) ([]uint64, error) {
	acc := make([]uint64, s.program.n)
	return acc, s.streams.CopyOut(ctx, s.streams.Computing, memory.Bytes(acc), s.program.at(s.program.layout.acc))
}

// fromAcc is the value of an accumulator: those that are compared are keys.
func (p *program) fromAcc(bits uint64) uint64 {
	if p.pulls() {
		return bits
	}
	return ordering.Of(p.spec.Reduce).Value(p.lowered.AccType, int64(bits))
}

// deliver takes what another session has gathered or, in a task that settles, what it knows.
func (s *session) deliver(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	x, err := s.exchanged(c)
	if err != nil {
		return nil, err
	}
	if s.program.settling {
		return s.learn(ctx, x)
	}
	p := s.program
	acc, err := s.fetchAcc(ctx)
	if err != nil {
		return nil, err
	}
	x.members(p.n, func(v int) { acc[v] = p.combine(acc[v], x.load(v)) })
	return s.streams.Timed(s.streams.Computing, func() error {
		return s.streams.CopyIn(ctx, s.streams.Computing, p.at(p.layout.acc), memory.Bytes(acc))
	})
}

// combine is an accumulator and a value together.
func (p *program) combine(acc, value uint64) uint64 {
	if !p.pulls() {
		return uint64(min(int64(acc), ordering.Of(p.spec.Reduce).Key(p.lowered.AccType, value)))
	}
	if p.lowered.AccType == algorithms.Float {
		return math.Float64bits(p.spec.Reduce.CombineFloats(math.Float64frombits(acc), math.Float64frombits(value)))
	}
	return uint64(p.spec.Reduce.CombineInts(int64(acc), int64(value)))
}

// learn improves the state by that of another session, as it is or will be: the state in the arena is
// the card's, for the task is restorable.
func (s *session) learn(ctx context.Context, from exchanged) (*stream.Work, error) {
	p, first := s.program, s.program.state()[0]
	order, t := ordering.Of(p.spec.Reduce), p.lowered.AccType
	own := exchanged{bytes: first.bytes, width: from.width}
	from.members(p.n, func(v int) {
		had, offered := own.load(v), from.load(v)
		if order.Key(t, offered) < order.Key(t, had) {
			own.store(v, offered)
			p.active[v/64] |= 1 << (v % 64)
		}
	})
	p.counters.Active = bitmap.Count(p.active)
	a, err := s.streams.Timed(s.streams.Computing, func() error { return p.takeState(ctx, s) })
	if err != nil {
		return nil, err
	}
	a.Finish = func(e *plugins.Event) error {
		e.Iteration = p.report()
		return nil
	}
	return a, nil
}
