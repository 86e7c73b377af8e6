package knn

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// chosen are neighbors that are compared with each other in an iteration: of each point some that are new and some that
// are old, and of those that have chosen it.
type chosen struct{ fresh, old, freshBack, oldBack candidates }

func newChosen(n, most int) *chosen {
	each := func() candidates { return candidates{most, 0, make([]int32, n), make([]uint32, n*most)} }
	return &chosen{each(), each(), each(), each()}
}

func chosenBytes(n, most int) uint64 { return 16 * uint64(n) * uint64(1+most) }

// begin forgets those of the iteration before.
func (c *chosen) begin(draws random.Draws) {
	for _, some := range []*candidates{&c.fresh, &c.old, &c.freshBack, &c.oldBack} {
		some.seed = int64(draws.Next())
		clear(some.met)
	}
}

// candidates are some points of each point.
type candidates struct {
	most int
	seed int64
	met  []int32 // how many each has met
	all  []uint32
}

func (c *candidates) of(p int) []uint32 { return c.all[p*c.most:][:min(int(c.met[p]), c.most)] }

// take takes one more for p. Of more than there is room for each stays with the same probability (algorithm R: Vitter
// 1985).
func (c *candidates) take(p int, one uint32) {
	at := int(c.met[p])
	c.met[p]++
	if at >= c.most {
		draws := random.New(c.seed, int64(p), int64(at))
		at = draws.Below(at + 1)
	}
	if at < c.most {
		c.all[p*c.most+at] = one
	}
}

// choose takes some of the list of p. Those that are new are old from now on. It tells how many were.
func (c *chosen) choose(l *lists, p int) (news int) {
	all := l.of(p)
	for i, e := range all {
		if e&fresh == 0 {
			c.old.take(p, e.point())
		} else {
			c.fresh.take(p, uint32(i))
		}
	}
	for k, i := range c.fresh.of(p) {
		all[i] &^= fresh
		c.fresh.of(p)[k] = all[i].point()
	}
	return int(c.fresh.met[p])
}

// reverse finds those that have chosen each point. Every worker goes along all, and sees to points of its own.
func (c *chosen) reverse(ctx context.Context, pool parallel.Pool) error {
	n := len(c.fresh.met)
	return pool.Run(ctx, pool.Threads, func(_, part int) {
		from, to := n*part/pool.Threads, n*(part+1)/pool.Threads
		reverse(&c.freshBack, &c.fresh, from, to)
		reverse(&c.oldBack, &c.old, from, to)
	})
}

// reverse tells the points from … to who has chosen them.
func reverse(back, chosen *candidates, from, to int) {
	for p := range chosen.met {
		for _, q := range chosen.of(p) {
			if from <= int(q) && int(q) < to {
				back.take(int(q), uint32(p))
			}
		}
	}
}
