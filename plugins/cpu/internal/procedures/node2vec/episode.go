package node2vec

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/walks"
)

// episode has the pairs of some walks, ordered by blocks: first by the part of the vertex, then by that of the context.
// Within a block they are in the order of walks.
type episode struct {
	*learning
	walker *walks.Walker
	counts []uint64
	met    uint64

	kept  []kept // of each walk
	room  []uint32
	at    [][]int // of a group of walks: where its next pair of each block goes
	ends  []int   // of each block
	pairs []embedding.Pair
}

// kept is what is left of a walk, and the draws of its windows.
type kept struct {
	vertices []uint32
	windows  random.Draws
}

const groupWalks = 16 // that one worker takes at a time

func (e *learning) groups() int { return (e.Walks + groupWalks - 1) / groupWalks }

func (e *learning) blocks() int { return e.Parts * e.Parts }

// episodeBytes is what an episode takes; the walks that are counted take no more than those that it has.
func (e *learning) episodeBytes() uint64 {
	length := uint64(e.Args.Ints["walkLength"])
	walk := 32 + 4*length + 8*uint64(e.WalkPairs())
	return uint64(e.Walks)*walk + uint64(e.groups())*(24+8*uint64(e.blocks())) + 8*uint64(e.blocks()) +
		4*length*uint64(e.Pool.Threads)
}

func (e *learning) newEpisode(w *walks.Walker, counts []uint64, met uint64) *episode {
	ep := &episode{learning: e, walker: w, counts: counts, met: met, kept: make([]kept, e.Walks),
		room: make([]uint32, e.Walks*int(e.Args.Ints["walkLength"])), at: make([][]int, e.groups()),
		ends: make([]int, e.blocks()), pairs: make([]embedding.Pair, e.Walks*e.WalkPairs())}
	for i := range ep.at {
		ep.at[i] = make([]int, e.blocks())
	}
	return ep
}

// gather goes the walks of an episode, and orders their pairs: it counts them, and then puts each where it belongs.
func (ep *episode) gather(ctx context.Context, number int) error {
	iteration, from, to := ep.Episode(number)
	each := func(do func(group, walk int)) error {
		return ep.Pool.Run(ctx, (to-from+groupWalks-1)/groupWalks, func(_, group int) {
			for walk := from + group*groupWalks; walk < min(from+(group+1)*groupWalks, to); walk++ {
				do(group, walk)
			}
		})
	}
	for _, at := range ep.at {
		clear(at)
	}
	window := int(ep.Args.Ints["windowSize"])
	err := each(func(group, walk int) {
		ep.walk(walk, from, iteration)
		ep.kept[walk-from].pairs(window, func(p embedding.Pair) { ep.at[group][ep.block(p)]++ })
	})
	if err != nil {
		return err
	}
	next := 0
	for block := range ep.ends {
		for _, at := range ep.at {
			count := at[block]
			at[block] = next
			next += count
		}
		ep.ends[block] = next
	}
	return each(func(group, walk int) {
		ep.kept[walk-from].pairs(window, func(p embedding.Pair) {
			at := &ep.at[group][ep.block(p)]
			ep.pairs[*at] = p
			*at++
		})
	})
}

func (ep *episode) block(p embedding.Pair) int {
	return ep.Part(p.Vertex)*ep.Parts + ep.Part(p.Context)
}

// walk goes one of the walks, and keeps what its draws say.
func (ep *episode) walk(walk, from, iteration int) {
	v, number := ep.Begin(walk)
	id, length := ep.id(ep.walker.Network, v), int(ep.Args.Ints["walkLength"])
	met := ep.room[(walk-from)*length:][:0:length]
	if ep.walker.Begins(uint32(v)) {
		met = ep.walker.Walk(met, uint32(v), embedding.WalkDraws(ep.Args, id, number))
	}
	draws := ep.Windows(id, number, iteration)
	ep.kept[walk-from].vertices = slices.DeleteFunc(met, func(v uint32) bool {
		return draws.Share() >= ep.Keep(ep.counts[v], ep.met)
	})
	ep.kept[walk-from].windows = draws
}

// pairs yields those of a walk.
func (w kept) pairs(window int, yield func(embedding.Pair)) {
	for i, v := range w.vertices {
		reach := 1 + w.windows.Below(window)
		for j := max(0, i-reach); j <= min(i+reach, len(w.vertices)-1); j++ {
			if j != i {
				yield(embedding.Pair{Vertex: v, Context: w.vertices[j]})
			}
		}
	}
}
