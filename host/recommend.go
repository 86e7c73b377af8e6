package host

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/recommend"
	"github.com/penstock-db/penstock/store"
)

// Suggestion is a vertex by its dense id, and what a model says of it together with another.
type Suggestion = recommend.Suggestion

// RecommendRequest says what is to be recommended.
type RecommendRequest struct {
	Top int // suggestions for each vertex, at the most
	// For is for whom, by ascending dense ids; nil: for every vertex that an edge leads from. Of those named, vertices
	// that no edge leads from are passed over: nothing has been learned of what they lead to.
	For []uint32
	On
}

// DefaultTop is how many suggestions there are for a vertex where nothing says it.
const DefaultTop = 10

// Recommend finds for each vertex those of the highest values, of links of the highest probability, that it has no edge
// to: among all vertices that an edge leads to. Suggestions come vertex by vertex, and are valid until yield returns.
// It holds vectors of all vertices, a chunk, and suggestions for one vertex.
//
// Errors: as of PredictPairs, and what yield returns.
func (e *Engine) Recommend(ctx context.Context, snap *store.Snapshot, m *trained.Model, req RecommendRequest,
	yield func(vertex uint32, best []Suggestion) error) (report TrainReport, err error) {
	began := time.Now()
	report, err = recommendFrom(ctx, e, snap, m, req, yield)
	report.Seconds.Total = time.Since(began).Seconds()
	if err != nil {
		err = fmt.Errorf("recommend by %s on graph %s: %w", m.Name, snap.Manifest().Graph, err)
	}
	return report, err
}

func recommendFrom(ctx context.Context, e *Engine, snap *store.Snapshot, m *trained.Model, req RecommendRequest,
	yield func(vertex uint32, best []Suggestion) error) (report TrainReport, err error) {
	if req.Top < 1 {
		return report, &RequestError{Reason: fmt.Sprintf("%d suggestions for each vertex: there is at least one", req.Top)}
	}
	s, report, err := newSayer(ctx, e, snap, m, req.On)
	if err != nil {
		return report, err
	}
	candidates, err := candidatesOf(ctx, snap)
	if err != nil {
		return report, err
	}
	var pairs []Pair
	finder := recommend.NewFinder(candidates, req.Top, func(vertex uint32, candidates []uint32, to []float64) error {
		pairs = pairs[:0]
		for _, c := range candidates {
			pairs = append(pairs, Pair{Source: vertex, Target: c})
		}
		return s.say(ctx, pairs, to)
	})
	err = eachList(ctx, snap, req.For, func(vertex uint32, known []uint32) error {
		best, err := finder.Find(vertex, known)
		if err != nil {
			return err
		}
		return yield(vertex, best)
	})
	return report, err
}

// candidatesOf are the vertices that an edge leads to.
func candidatesOf(ctx context.Context, snap *store.Snapshot) (candidates []uint32, err error) {
	degrees := make([]uint32, snap.Manifest().Vertices)
	if err := snap.Degrees(ctx, chunk.In, degrees); err != nil {
		return nil, err
	}
	for v, degree := range degrees {
		if degree > 0 {
			candidates = append(candidates, uint32(v))
		}
	}
	return candidates, nil
}

// eachList reads the lists of vertices, which ascend; nil: of all. Each list ascends.
func eachList(ctx context.Context, snap *store.Snapshot, vertices []uint32,
	yield func(v uint32, list []uint32) error) error {
	all := vertices == nil
	var list []uint32
	for c, err := range snap.EachChunk(ctx, chunk.Out) {
		if err != nil {
			return err
		}
		base := uint32(c.Meta().Cols.Base)
		for v, locals := range c.Lists() {
			for len(vertices) > 0 && uint64(vertices[0]) < v {
				vertices = vertices[1:]
			}
			if !all && len(vertices) == 0 {
				return ctx.Err()
			}
			if len(locals) == 0 || !all && uint64(vertices[0]) != v {
				continue
			}
			list = list[:0]
			for _, local := range locals {
				list = append(list, base+local)
			}
			slices.Sort(list)
			if err := yield(uint32(v), list); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
