package betweenness

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// coarse is Brandes's algorithm with a source for each worker. Where levels are many and
// small, as on roads, lanes seldom meet on one and workers would mostly wait for each
// other between levels. By weights there are no levels. (Bader and Madduri, "Parallel algorithms
// for evaluating centrality indices in real-world networks", 2006: coarse-grained.)
type coarse struct {
	*betweenness
	searches []searcher // one for each worker
}

// searcher is of one worker, and of each of its sources in turn.
type searcher interface {
	// search finds what depends on each vertex that is reached from a source.
	search(ctx context.Context, source uint32) (reached []uint32, depends []float64, err error)
	// clean forgets what a search has reached.
	clean()
}

func searchers(p parallel.Pool) int { return min(p.Threads, lanes) }

// all adds the dependencies on the sources, one after the other as in a single thread.
func (c *coarse) all(ctx context.Context, sources []int, p procedures.Progress) error {
	turns, failed := parallel.NewOrdered(), atomic.Pointer[error]{}
	err := parallel.New(len(c.searches)).Run(ctx, len(sources), func(worker, i int) {
		s, reached, depends := c.searches[worker], []uint32(nil), []float64(nil)
		if failed.Load() == nil {
			var err error
			if reached, depends, err = s.search(ctx, uint32(sources[i])); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
		turns.Do(i, func() {
			for j, v := range reached {
				c.sum[v] += depends[j]
			}
			p.Tell(p.At(float64(i+1) / float64(len(sources))))
		})
		s.clean()
	})
	if wrong := failed.Load(); wrong != nil {
		return *wrong
	}
	return err
}
