package knn

import (
	"context"

	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// chosen are neighbors that are compared with each other in an iteration: of each vertex, and those that have chosen
// it.
type chosen struct {
	fresh, old         candidates
	freshBack, oldBack candidates
}

func newChosen(n, sample, most int) *chosen {
	return &chosen{newCandidates(n, sample), newCandidates(n, most), newCandidates(n, sample), newCandidates(n, sample)}
}

// candidates are some vertices of each vertex.
type candidates struct {
	most   int
	length []int32
	all    []uint32
}

func candidatesBytes(n, most int) uint64 { return 4 * uint64(n) * uint64(1+most) }

func newCandidates(n, most int) candidates {
	return candidates{most, make([]int32, n), make([]uint32, n*most)}
}

func (c *candidates) of(v int) []uint32 { return c.all[v*c.most:][:c.length[v]] }

// choose takes those of the list of v: the old ones, and some that are fresh, which are old from now on.
func (c *chosen) choose(l *lists, v int, draw draws) {
	c.fresh.length[v], c.old.length[v] = 0, 0
	places, ages := c.old.all[v*c.old.most:], l.ages(v) // of fresh entries, where the old ones come later
	count := 0
	for i, a := range ages {
		if a != old {
			places[count] = uint32(i)
			count++
		}
	}
	others := l.of(v)
	for k := range min(c.fresh.most, count) {
		other := k + draw.below(count-k)
		places[k], places[other] = places[other], places[k]
		c.fresh.all[v*c.fresh.most+k] = others[places[k]]
		c.fresh.length[v]++
	}
	taken := places[:c.fresh.length[v]]
	for _, i := range taken {
		ages[i] = now // for a moment
	}
	for i, a := range ages {
		switch a {
		case old:
			c.old.all[v*c.old.most+int(c.old.length[v])] = others[i]
			c.old.length[v]++
		case now:
			ages[i] = old
		}
	}
}

// reverse finds those that have chosen each vertex, some of each where they are many. Every worker goes along all, and
// sees to vertices of its own.
func (c *chosen) reverse(ctx context.Context, pool parallel.Pool, draw func(v int) draws) error {
	n := len(c.fresh.length)
	return pool.Run(ctx, pool.Threads, func(_, part int) {
		from, to := n*part/pool.Threads, n*(part+1)/pool.Threads
		reverse(&c.freshBack, &c.fresh, from, to, draw)
		reverse(&c.oldBack, &c.old, from, to, draw)
	})
}

// reverse enters of the vertices from … to those that have chosen them. Of more than there is room for each stays with
// the same probability (algorithm R: Vitter 1985).
func reverse(back, chosen *candidates, from, to int, draw func(v int) draws) {
	clear(back.length[from:to]) // how many there have been, until the end
	for v := range chosen.length {
		for _, u := range chosen.of(v) {
			if int(u) < from || int(u) >= to {
				continue
			}
			at := int(back.length[u])
			back.length[u]++
			if at >= back.most {
				r := draw(int(u)) + draws(at)
				at = r.below(at + 1)
			}
			if at < back.most {
				back.all[int(u)*back.most+at] = uint32(v)
			}
		}
	}
	for v := from; v < to; v++ {
		back.length[v] = min(back.length[v], int32(back.most))
	}
}
