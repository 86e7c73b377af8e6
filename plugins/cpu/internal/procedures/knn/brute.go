package knn

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// together is how many points are compared with all at a time: enough to wait for arithmetic, and not for memory.
const together = 4 * vector.Abreast

// brute compares every point with every other, 32 with 32 at a time. Those that may be among the nearest, but for
// rounding of single precision, are compared once more in double precision: the result is exact.
func (s *search) brute(ctx context.Context, sp *space, part procedures.Progress) error {
	if err := sp.enterPanels(ctx, s.Pool); err != nil {
		return err
	}
	contests := make([]*contest, s.Pool.Threads)
	tasks := (len(sp.points) + together - 1) / together
	var done atomic.Int64
	return s.Pool.Run(ctx, tasks, func(worker, task int) {
		if contests[worker] == nil {
			contests[worker] = newContest(s, sp)
		}
		contests[worker].hold(ctx, task*together, min(len(sp.points), (task+1)*together))
		if at := float64(done.Add(1)) / float64(tasks); worker == 0 {
			part.Tell(part.At(at))
		}
	})
}

// contest compares some points with all, for one worker.
type contest struct {
	*search
	space *space
	all   [together][]entry               // those that may be among the nearest of each of them
	asked [together / vector.Abreast]bool // some of these points are to have pairs
	least [together / vector.Abreast][vector.Abreast]float32
	never [vector.Abreast]float32
	near  vector.Square
	found [vector.Abreast]uint32
	pairs []pair
}

// rivals is room for those that may be among the nearest of a point.
func (s *search) rivals() int { return 2*s.most + 64 }

func (s *search) bruteBytes() uint64 {
	return uint64(s.Pool.Threads) * (uint64(s.rivals())*(8*together+pairBytes) + 12<<10)
}

func newContest(s *search, sp *space) *contest {
	c := &contest{search: s, space: sp, pairs: make([]pair, 0, s.rivals())}
	for i := range c.all {
		c.all[i] = make([]entry, 0, s.rivals())
	}
	for i := range c.never {
		c.never[i] = float32(math.Inf(1))
	}
	return c
}

// hold finds the nearest of the points from … to.
func (c *contest) hold(ctx context.Context, from, to int) {
	for i := range c.all {
		c.all[i] = c.all[i][:0]
		c.least[i/vector.Abreast][i%vector.Abreast] = float32(math.Inf(-1))
	}
	for i := range c.asked {
		c.asked[i] = c.some(from+i*vector.Abreast, to, c.filter.From)
	}
	n := len(c.space.points)
	for first := 0; first < n && ctx.Err() == nil; first += vector.Abreast {
		if !slices.Contains(c.asked[:], true) || !c.some(first, n, c.filter.To) {
			continue
		}
		present := lowest(n - first)
		for p := from; p < to; p += vector.Abreast {
			if !c.asked[(p-from)/vector.Abreast] {
				continue
			}
			rows := min(vector.Abreast, to-p)
			c.space.nearness(&c.near, c.space.panelAt(p), c.space.panelAt(first), rows)
			c.near.Sift(&c.found, rows, &c.least[(p-from)/vector.Abreast], &c.never)
			for r, found := range c.found[:rows] {
				for found &= present; found != 0; found &= found - 1 {
					k := bits.TrailingZeros32(found)
					if first+k != p+r && c.filter.To(int(c.space.points[first+k])) {
						c.enter(p+r, p-from+r, newEntry(c.near[r*vector.Abreast+k], uint32(first+k)))
					}
				}
			}
		}
	}
	for p := from; p < to && ctx.Err() == nil; p++ {
		c.narrow(p, p-from)
		c.pairs = c.with(c.pairs[:0], c.space, p, c.all[p-from])
		c.write(int(c.space.points[p]), c.pairs)
	}
}

// some tells whether one of 32 points from … on, before to, is of a kind.
func (c *contest) some(from, to int, is func(v int) bool) bool {
	for p := from; p < min(from+vector.Abreast, to); p++ {
		if is(int(c.space.points[p])) {
			return true
		}
	}
	return false
}

// lowest are the first bits, as many as there are.
func lowest(n int) uint32 { return uint32(1<<min(n, 32) - 1) }

// enter enters one into the rivals of p, which is number i.
func (c *contest) enter(p, i int, e entry) {
	if len(c.all[i]) == cap(c.all[i]) {
		c.narrow(p, i)
	}
	c.all[i] = append(c.all[i], e)
}

// narrow leaves of the rivals of p those that may be among its nearest, and at most half as many as there is room for.
func (c *contest) narrow(p, i int) {
	if len(c.all[i]) <= c.most {
		return
	}
	kth(c.all[i], c.most)
	least := c.space.reach(c.all[i][c.most-1].near())
	c.least[i/vector.Abreast][i%vector.Abreast] = least
	c.all[i] = slices.DeleteFunc(c.all[i], func(e entry) bool { return e.near() < least })
	if 2*len(c.all[i]) <= cap(c.all[i]) {
		return
	}
	c.pairs = c.with(c.pairs[:0], c.space, p, c.all[i])
	slices.SortFunc(c.pairs, nearer)
	c.all[i] = c.all[i][:0]
	for _, q := range c.pairs[:min(c.most, len(c.pairs))] {
		c.all[i] = append(c.all[i], q.entry)
	}
}

// kth brings the k-th greatest, from 1 on, to its place, with none less before it and none greater behind it (Hoare
// 1961).
func kth[T ~uint64](all []T, k int) {
	for low, high := 0, len(all)-1; low < high; {
		pivot, i, j := all[(low+high)/2], low, high
		for i <= j {
			for all[i] > pivot {
				i++
			}
			for all[j] < pivot {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return
		}
	}
}
