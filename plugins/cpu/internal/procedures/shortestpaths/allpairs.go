package shortestpaths

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/paths"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// allPairs searches from each source, as many at once as there are threads.
type allPairs struct {
	procedures.Input
	ids              []int64
	from, to         []int64 // the result
	distances        []float64
	sources, targets []int64 // ids
}

func init() {
	procedures.Register("all-pairs", func(f procedures.Input) (procedures.Procedure, error) {
		if err := require(f, "all-pairs"); err != nil {
			return nil, err
		}
		p := &allPairs{Input: f, ids: f.Columns["id"].Ints, from: f.Columns["source"].Ints, to: f.Columns["target"].Ints,
			distances: f.Columns["distance"].Floats}
		p.sources, p.targets = paths.PairEnds(f.Args, p.ids)
		if len(p.from) < len(p.sources)*len(p.targets) {
			return nil, plugins.Errorf(plugins.KindInvalid, "%d rows for %d sources and %d targets", len(p.from),
				len(p.sources), len(p.targets))
		}
		return p, nil
	})
}

// workers is how many searches there are at once.
func (p *allPairs) workers() int { return min(p.Pool.Threads, len(p.sources)) }

// Scratch: a side of each worker, which sources are wanted, and where they are.
func (p *allPairs) Scratch() uint64 {
	ends := uint64(len(p.sources) + len(p.targets))
	return uint64(p.workers())*(sideBytes*uint64(p.N)+wantedBytes*uint64(len(p.targets))) + (8+wantedBytes)*ends
}

// wantedBytes is what a vertex takes in a map, at most.
const wantedBytes = 32

func (p *allPairs) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (edges uint64, err error) {
	sources, targets, err := ends(p.ids, chunks, p.sources, p.targets)
	if err != nil {
		return 0, err
	}
	out, _ := csr.Sides(p.Graph.Directed, chunks)
	sides := make([]*side, p.workers())
	for i := range sides {
		sides[i] = newSide(p.ids, out, true, false)
	}
	done := 0
	err = p.Pool.Run(ctx, len(sources), func(worker, task int) {
		p.search(ctx, sides[worker], sources[task], targets, p.distances[task*len(targets):][:len(targets)])
		if worker == 0 {
			done = max(done, task)
			tell(float64(done) / float64(len(sources)))
		}
	})
	for _, s := range sides {
		edges += s.edges
	}
	if err == nil {
		p.tell()
	}
	return edges, err
}

// search finds the distances from a source. Where ctx ends, they are of no use.
func (p *allPairs) search(ctx context.Context, s *side, source uint32, targets []uint32, distances []float64) {
	wanted := make(map[uint32]bool, len(targets))
	for _, target := range targets {
		wanted[target] = true
	}
	s.begin(source, 0, 0)
	if s.reach(ctx, wanted) != nil {
		return
	}
	for i, target := range targets {
		distances[i] = s.cost[target]
	}
}

// tell makes rows of the distances: of pairs that a path joins, from the first row on.
func (p *allPairs) tell() {
	row := 0
	for i, source := range p.sources {
		for k, target := range p.targets {
			if distance := p.distances[i*len(p.targets)+k]; !math.IsInf(distance, 1) {
				p.from[row], p.to[row], p.distances[row] = source, target, distance
				row++
			}
		}
	}
	for ; row < len(p.from); row++ {
		p.from[row], p.to[row], p.distances[row] = algorithms.Unreached, algorithms.Unreached, math.NaN()
	}
}
