package solve

import (
	"context"
	"errors"
	"runtime"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// sums solves programs that add doubles up as Step and Apply do, but for one launch a wave of chunks (sums.cu). There
// are so many edges in all lists, at most.
type sums struct{ edges uint64 }

func (sums) Name() string { return "sums of all chunks at a time" }

func (s sums) Scratch(vertices uint64) uint64 { return scratch(s.pieces(vertices)) }

// pieces are the waves, the parts of long rows, what comes of each, and rows for a warp each.
func (s sums) pieces(vertices uint64) []uint64 {
	parts := s.most(kernels.SumParts)
	return []uint64{coverBytes(vertices), parts * kernels.PartBytes, parts * kernels.PartialBytes,
		s.most(kernels.SumAsides) * kernels.AsideBytes}
}

// most is what there can be at most in all chunks, of which one has so many, however chunks share the edges.
func (s sums) most(of func(edges uint64) uint64) uint64 {
	return of(min(s.edges, 1<<31-1)) + s.edges>>31*of(1<<31-1)
}

// laps is a run of sums.
type laps struct {
	*run
	waves []wave
	edges uint64
}

func (s sums) Run(ctx context.Context, job Job) (solved bool, err error) {
	if job.Template == nil || !job.Template.IsSum() {
		return false, nil
	}
	r := begin(ctx, job, s.pieces(job.Program.Vertices))
	l := &laps{run: r, waves: wavesOf(job.Chunks), edges: r.edges()}
	if ok, err := l.lay(s); err != nil || !ok {
		return false, err
	}
	for i, over := 1, false; !over; i++ {
		if over, err = l.lap(i); err != nil {
			return false, err
		}
	}
	return true, nil
}

// lap is an iteration.
func (l *laps) lap(number int) (over bool, err error) {
	if err := l.Template.Prepare(l.Stream, l.State); err != nil {
		return false, err
	}
	for _, w := range l.waves {
		if err := l.Kernels.Sum(l.Stream, l.State, l.Template, w.at, w.tiles, w.parts, w.asides); err != nil {
			return false, err
		}
	}
	if err := l.Template.Apply(l.Stream, l.State, 0, l.n()); err != nil {
		return false, err
	}
	c, err := get[kernels.Counters](l.run, l.Program.Counters)
	settled := c.Active == 0 || l.Spec.Norm != algorithms.NoNorm && c.Change <= l.Spec.Tolerance
	over = uint64(number) >= l.bound() || settled && !l.Spec.Exactly
	if err == nil {
		l.Tell(plugins.Iteration{Number: number, Active: c.Active, Change: c.Change, Converged: over}, uint64(number)*l.edges)
	}
	return over, err
}

// wave is chunks of which no two have a row of one vertex.
type wave struct {
	chunks []kernels.Resident
	at     driver.Pointer // of the kernels.Wave on the card
	tiles  uint64
	parts  uint64 // at most
	asides uint64
}

// wavesOf puts each chunk into the first wave after those of all before it that have a vertex in common with it: what
// comes to a vertex is added in the order of chunks.
func wavesOf(chunks []kernels.Resident) (waves []wave) {
	c := coverOf(chunks)
	next := make([]int, len(c.bases)) // of each band: the first wave after those that it is in
	for _, r := range chunks {
		if r.Edges == 0 {
			continue
		}
		bands := next[c.bandsOf(r.Interval).from:c.bandsOf(r.Interval).to]
		number := 0
		for _, n := range bands {
			number = max(number, n)
		}
		for i := range bands {
			bands[i] = number + 1
		}
		if number == len(waves) {
			waves = append(waves, wave{})
		}
		w := &waves[number]
		w.chunks, w.tiles = append(w.chunks, r), w.tiles+kernels.Tiles(r.Rows)
		w.parts, w.asides = w.parts+kernels.SumParts(r.Edges), w.asides+kernels.SumAsides(r.Edges)
	}
	return waves
}

// lay lays the waves out and cuts their long rows, if there is room.
func (l *laps) lay(s sums) (bool, error) {
	words, parts, asides := l.words()
	if 8*uint64(len(words)) > coverBytes(l.n()) || parts > s.most(kernels.SumParts) || asides > s.most(kernels.SumAsides) {
		return false, nil
	}
	err := errors.Join(l.Stream.CopyIn(l.pieces[0], bytesOf(words)), l.wait())
	runtime.KeepAlive(words)
	for _, w := range l.waves {
		if w.asides > 0 && err == nil {
			err = l.Kernels.CutSums(l.Stream, w.at, w.tiles)
		}
	}
	return true, err
}

// words are the waves as they lie on the card: each kernels.Wave, and what it points to.
func (l *laps) words() (words []uint64, parts, asides uint64) {
	const size = uint64(unsafe.Sizeof(kernels.Wave{}))
	for i := range l.waves {
		w := &l.waves[i]
		w.at = l.pieces[0] + driver.Pointer(8*len(words))
		chunk := uint64(w.at) + size
		tiles := chunk + 8*uint64(len(w.chunks))
		words = append(words, uint64(len(w.chunks)), chunk, tiles,
			0, uint64(l.pieces[1])+parts*kernels.PartBytes, uint64(l.pieces[2])+parts*kernels.PartialBytes,
			0, uint64(l.pieces[3])+asides*kernels.AsideBytes)
		words, parts, asides = w.places(words), parts+w.parts, asides+w.asides
	}
	return words, parts, asides
}

// places appends where each chunk is, and how many tiles are before each.
func (w wave) places(words []uint64) []uint64 {
	for _, r := range w.chunks {
		words = append(words, uint64(r.At))
	}
	before := uint64(0)
	for _, r := range w.chunks {
		words, before = append(words, before), before+kernels.Tiles(r.Rows)
	}
	return append(words, before)
}
