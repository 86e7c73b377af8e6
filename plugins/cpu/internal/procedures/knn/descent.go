package knn

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// descent is NN-descent with sampling: a neighbor of a neighbor is likely to be a neighbor (Dong, Moses, Li 2011,
// algorithm 2; of old neighbors, too, it takes some).
//
//	lists ──▶ of each point some new neighbors, and some old ones, both ways ──join──▶ better lists ─┐
//	  ▲                                                                                              │
//	  └────────────────── unless few entries are new ◀───────────────────────────────────────────────┘
//
// What is compared in an iteration is drawn before it begins, and of what is offered to a list the same are left in any
// order: results do not depend on the number of threads.
type descent struct {
	pool       parallel.Pool
	sample     int // of new neighbors that are compared in an iteration, each way; and of old ones
	least      float64
	iterations int
	joins      int
	seed       int64
}

func (d descent) bytes(n, width int) uint64 {
	return chosenBytes(n, d.sample) + uint64(d.pool.Threads)*(4*uint64(n+d.most())+crowdBytes(width, d.most()))
}

// most is how many meet in a join.
func (d descent) most() int { return max(4*d.sample, vector.Abreast+d.joins) }

func (d descent) run(ctx context.Context, s *space, l *lists, part procedures.Progress) error {
	n := len(s.points)
	c, workers := newChosen(n, d.sample), make([]*joiner, d.pool.Threads)
	for i := range workers {
		workers[i] = &joiner{crowd: newCrowd(s, l, d.most(), (*lists).offer), all: make([]uint32, 0, d.most()),
			seen: make([]uint32, n)}
	}
	for i := range d.iterations {
		c.begin(random.New(d.seed, int64(i)))
		news, err := d.choose(ctx, c, l)
		if err != nil || news <= d.least {
			return err
		}
		if err := c.reverse(ctx, d.pool); err != nil {
			return err
		}
		if err := d.join(ctx, workers, c, i); err != nil {
			return err
		}
		part.Tell(part.At(min(1, math.Log(news)/math.Log(max(d.least, 1e-9)))))
	}
	return nil
}

// choose tells which part of all entries is new.
func (d descent) choose(ctx context.Context, c *chosen, l *lists) (share float64, err error) {
	var news atomic.Int64
	err = d.pool.Blocks(ctx, len(c.fresh.met), func(_, _, from, to int) {
		for p := from; p < to; p++ {
			news.Add(int64(c.choose(l, p)))
		}
	})
	return float64(news.Load()) / float64(len(l.all)), err
}

// join has those meet that each point has chosen, or that have chosen it, and every 32 points some that are drawn from
// all.
func (d descent) join(ctx context.Context, workers []*joiner, c *chosen, iteration int) error {
	n := len(c.fresh.met)
	return d.pool.Run(ctx, (n+vector.Abreast-1)/vector.Abreast, func(worker, task int) {
		w, from := workers[worker], task*vector.Abreast
		to := min(n, from+vector.Abreast)
		for p := from; p < to; p++ {
			w.join(c, p)
		}
		draws := random.New(d.seed, int64(iteration), int64(task))
		w.joinOthers(from, to, d.joins, &draws)
	})
}

// joiner compares points, for one worker.
type joiner struct {
	*crowd
	all  []uint32 // those that meet
	seen []uint32 // of each point, when it was last among them
	time uint32
}

// join compares the new neighbors of p with each other and with the old ones.
func (w *joiner) join(c *chosen, p int) {
	w.begin()
	w.add(c.fresh.of(p)...)
	w.add(c.freshBack.of(p)...)
	first := len(w.all)
	if first == 0 {
		return
	}
	w.add(c.old.of(p)...)
	w.add(c.oldBack.of(p)...)
	w.meet(w.all, first)
}

// joinOthers compares the points from … to with some that are drawn from all.
func (w *joiner) joinOthers(from, to, count int, draws *random.Draws) {
	if count == 0 {
		return
	}
	w.begin()
	for p := from; p < to; p++ {
		w.add(uint32(p))
	}
	for range count {
		w.add(uint32(draws.Below(len(w.seen))))
	}
	w.meet(w.all, to-from)
}

func (w *joiner) begin() {
	if w.time++; w.time == 0 {
		clear(w.seen)
		w.time = 1
	}
	w.all = w.all[:0]
}

// add adds those that are not there.
func (w *joiner) add(some ...uint32) {
	for _, p := range some {
		if w.seen[p] != w.time {
			w.seen[p] = w.time
			w.all = append(w.all, p)
		}
	}
}
