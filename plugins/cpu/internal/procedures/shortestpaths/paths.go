// Package shortestpaths finds the shortest paths between vertices.
//
//	side       a search from one vertex: the least ways, and which vertices wait    (side.go)
//	bothEnds   one pair: a side from each end, until they have met                  (bothends.go)
//	yen        k paths of a pair: searches beside each path that is found           (yen.go)
//	compass    coordinates ──▶ how far it is at least, which guides a side (A*)     (compass.go)
//	paths      which of these a task needs, and its result                          (paths.go)
//	allPairs   distances alone, a side from each source                             (allpairs.go)
//
// A side takes 28 bytes a vertex, 36 with a guide.
package shortestpaths

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/paths"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// solver is a task.
type solver struct {
	procedures.Input
	ids              []int64
	nodes            []int64
	costs            []float64
	sources, targets []int64 // ids
	k                int
	out, in          csr.Index
	at               int // rows that are written
	sides            []*side
}

func init() {
	procedures.Register("shortest-paths", func(f procedures.Input) (procedures.Procedure, error) {
		if err := require(f, "shortest-paths"); err != nil {
			return nil, err
		}
		return &solver{Input: f, ids: f.Columns["id"].Ints, nodes: f.Columns["nodes"].Ints, costs: f.Columns["costs"].Floats,
				sources: f.Args.Vertices["source"], targets: paths.Targets(f.Args, f.Columns["id"].Ints), k: int(f.Args.Ints["k"])},
			nil
	})
}

// require fails where the columns are not there that a task of an algorithm reads and writes.
func require(f procedures.Input, algorithm string) error {
	a, err := catalog.Lookup(algorithm)
	if err != nil {
		return err
	}
	if f.N > math.MaxInt32 {
		return plugins.Errorf(plugins.KindUnsupported, "paths among %d vertices: up to %d", f.N, math.MaxInt32)
	}
	columns := append([]algorithms.Column{{Name: "id", Type: algorithms.Int}}, a.Columns(f.Args)...)
	for _, in := range a.VertexInputs(f.Args) {
		columns = append(columns, in.Column)
	}
	return f.Columns.Require(columns...)
}

// Scratch: the sides of a search, and k paths of a pair.
func (p *solver) Scratch() uint64 {
	n := uint64(p.N)
	switch {
	case p.k > 1:
		return (2*sideBytes+guideBytes)*n + n/8 + 8 + pathBytes*uint64(len(p.nodes))
	case coordinated(p.Input, "latitude", "longitude"):
		return (sideBytes + guideBytes + sphereBytes) * n
	case coordinated(p.Input, "x", "y"):
		return (sideBytes + guideBytes) * n
	case len(p.targets) == 1:
		return 2 * sideBytes * n
	}
	return sideBytes * n
}

// pathBytes is what a path takes of each vertex on it.
const pathBytes = 4 + 8

func (p *solver) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (edges uint64, err error) {
	sources, targets, err := ends(p.ids, chunks, p.sources, p.targets)
	if err != nil {
		return 0, err
	}
	for i := range p.nodes {
		p.nodes[i], p.costs[i] = algorithms.Unreached, math.NaN()
	}
	p.out, p.in = csr.Sides(p.Graph.Directed, chunks)
	search, err := p.search(ctx, chunks)
	for i := 0; i < len(sources) && err == nil; i++ {
		if err = search(ctx, sources[i], targets); err == nil {
			tell(float64(i+1) / float64(len(sources)))
		}
	}
	for _, s := range p.sides {
		edges += s.edges
	}
	return edges, err
}

// ends are where sources and targets are, in a graph whose weights paths can go by.
func ends(ids []int64, chunks []*csr.Chunk, sources, targets []int64) (from, to []uint32, err error) {
	if err = procedures.PathWeights("a shortest path", ids, chunks); err != nil {
		return nil, nil, err
	}
	if from, err = places(ids, sources); err != nil {
		return nil, nil, err
	}
	to, err = places(ids, targets)
	return from, to, err
}

// places are where vertices with these ids are.
func places(ids, wanted []int64) (all []uint32, err error) {
	at := make(map[int64]uint32, len(wanted))
	for _, id := range wanted {
		at[id] = 0
	}
	found := 0
	for v, id := range ids {
		if _, named := at[id]; named {
			at[id] = uint32(v)
			found++
		}
	}
	if found < len(at) {
		return nil, plugins.Errorf(plugins.KindInvalid, "the graph has not all of the vertices %v", wanted)
	}
	for _, id := range wanted {
		all = append(all, at[id])
	}
	return all, nil
}

// search is the way that suits the task: it writes the paths from a source to all targets.
func (p *solver) search(ctx context.Context, chunks []*csr.Chunk) (
	func(ctx context.Context, source uint32, targets []uint32) error, error) {
	switch {
	case p.k > 1:
		y := newYen(p.ids, p.out, p.in)
		p.sides = []*side{y.back, y.ahead}
		return func(ctx context.Context, source uint32, targets []uint32) error {
				return p.several(ctx, y, source, targets)
			},
			nil
	case coordinated(p.Input, "latitude", "longitude", "x", "y"):
		c, err := newCompass(ctx, p.Input, chunks)
		s := newSide(p.ids, p.out, true, true)
		p.sides = []*side{s}
		return func(ctx context.Context, source uint32, targets []uint32) error {
			return p.guided(ctx, s, c, source, targets)
		}, err
	case len(p.targets) == 1:
		b := newBothEnds(p.ids, p.out, p.in)
		p.sides = []*side{b.ahead, b.back}
		return func(ctx context.Context, source uint32, targets []uint32) error {
			return p.met(ctx, b, source, targets[0])
		}, nil
	}
	s := newSide(p.ids, p.out, true, false)
	p.sides = []*side{s}
	return func(ctx context.Context, source uint32, targets []uint32) error {
		return p.tree(ctx, s, source, targets)
	}, nil
}

func (p *solver) several(ctx context.Context, y *yen, source uint32, targets []uint32) error {
	for _, target := range targets {
		all, err := y.paths(ctx, source, target, p.k)
		if err != nil {
			return err
		}
		for _, found := range all {
			if err := p.write(found); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *solver) guided(ctx context.Context, s *side, c *compass, source uint32, targets []uint32) error {
	for _, target := range targets {
		s.guide = c.to(target)
		s.begin(source, 0, 0)
		found, err := s.seek(ctx, target, math.Inf(1))
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := p.write(s.path(path{}, 0, target)); err != nil {
			return err
		}
	}
	return nil
}

func (p *solver) met(ctx context.Context, b *bothEnds, source, target uint32) error {
	way, err := b.find(ctx, source, target)
	if err != nil || way == nil {
		return err
	}
	costs := make([]float64, len(way))
	for i := 1; i < len(way); i++ {
		costs[i] = costs[i-1] + p.lightest(way[i-1], way[i])
	}
	return p.write(path{vertices: way, costs: costs})
}

// lightest is the least weight of an edge from v to u.
func (p *solver) lightest(v, u uint32) float64 {
	least := math.Inf(1)
	for _, c := range p.out.Of(int(v)) {
		from, to := c.EdgeRange(int(v))
		for at := from; at < to; at++ {
			switch {
			case uint32(c.Cols.Base)+c.Neighbors[at] != u:
			case len(c.Weights) == 0:
				return 1
			default:
				least = min(least, c.Weights[0][at])
			}
		}
	}
	return least
}

func (p *solver) tree(ctx context.Context, s *side, source uint32, targets []uint32) error {
	wanted := make(map[uint32]bool, len(targets))
	for _, target := range targets {
		wanted[target] = true
	}
	s.begin(source, 0, 0)
	if err := s.reach(ctx, wanted); err != nil {
		return err
	}
	for _, target := range targets {
		if !s.knows(target) {
			continue
		}
		if err := p.write(s.path(path{}, 0, target)); err != nil {
			return err
		}
	}
	return nil
}

// write writes a path into the result, with room for the row behind it.
func (p *solver) write(found path) error {
	if p.at+len(found.vertices) >= len(p.nodes) {
		return plugins.Errorf(plugins.KindInvalid, "%w", &paths.RowsError{Rows: len(p.nodes)})
	}
	for i, v := range found.vertices {
		p.nodes[p.at+i] = p.ids[v]
	}
	copy(p.costs[p.at:], found.costs)
	p.at += len(found.vertices) + 1
	return nil
}
