package stats

import (
	"cmp"
	"context"
	"math"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/store"
)

// Report is what a snapshot of a graph looks like.
type Report struct {
	Graph    string      `json:"graph"`
	Snapshot uint64      `json:"snapshot"`
	Order    store.Order `json:"order"` // in which the vertices are stored
	Directed bool        `json:"directed"`
	Vertices uint64      `json:"vertices"`
	Edges    uint64      `json:"edges"`
	Isolated uint64      `json:"isolated"` // vertices without an edge
	// Density is how much of the adjacency matrix is not empty, with rows and columns for all
	// vertices.
	Density float64 `json:"density"`
	// Degrees are out and in; of an undirected graph there is one distribution.
	Degrees []Distribution `json:"degrees"`
	// Cores are vertices of highest degree, all of them first, and ever fewer.
	Cores []Core `json:"cores"`
	// Windows are as many vertices that are stored side by side, those with most edges among
	// them; none, unless the graph is stored by communities.
	Windows []Core `json:"windows,omitempty"`

	// AsStored is the adjacency matrix in the order of the dense ids, ByDegree by descending
	// degree, in and out together.
	AsStored Spy `json:"-"`
	ByDegree Spy `json:"-"`
}

// Core is some of the vertices, and what is among them.
type Core struct {
	Share float64 `json:"share"` // of all vertices
	core.Candidate
	Inside  float64 `json:"inside"`  // how many of all list entries are
	Density float64 `json:"density"` // of the matrix of those who are linked
	// Sparser tells that a core of more vertices is denser: to take fewer does not pay.
	Sparser bool `json:"sparser,omitempty"`
	// Uncompacted is the density of the matrix of all its vertices, with empty rows.
	Uncompacted        float64 `json:"uncompacted"`
	UncompactedSparser bool    `json:"uncompacted_sparser,omitempty"`
}

// Of looks at all of a snapshot.
//
// Errors: *OptionError, *store.DamagedError, and that of ctx.
func Of(ctx context.Context, snapshot *store.Snapshot, options Options) (*Report, error) {
	shares, err := options.shares()
	if err != nil {
		return nil, err
	}
	m := snapshot.Manifest()
	r := &Report{Graph: m.Graph, Snapshot: m.ID, Order: cmp.Or(m.Order.Taken, store.OrderNone), Directed: m.Directed,
		Vertices: m.Vertices, Edges: m.Edges}
	degrees, err := r.readDegrees(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	for _, degree := range degrees {
		if degree == 0 {
			r.Isolated++
		}
	}
	if err := r.readLists(ctx, snapshot, core.Rank(degrees), shares); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Report) readLists(ctx context.Context, snapshot *store.Snapshot, rank []uint32, shares []float64) error {
	sizes := core.Sizes(r.Vertices, shares...)
	counter, grid := core.NewCounter(rank, sizes), (*core.Grid)(nil)
	r.AsStored, r.ByDegree = newSpy(r.Vertices, nil), newSpy(r.Vertices, rank)
	all := []func(*chunk.Chunk){counter.Add, r.AsStored.add, r.ByDegree.add}
	if r.Order == store.OrderRabbit {
		grid = core.NewGrid(r.Vertices)
		all = append(all, grid.Add)
	}
	for c, err := range snapshot.EachChunk(ctx, chunk.Out) {
		if err != nil {
			return err
		}
		for _, add := range all {
			add(c)
		}
	}
	candidates := counter.Candidates()
	r.Cores = cores(candidates, shares, candidates[0].Entries)
	r.Density = r.Cores[0].Uncompacted
	if grid != nil {
		r.Windows = cores(windows(grid, sizes[1:]), shares[1:], candidates[0].Entries)
	}
	return nil
}

// windows are the densest of each size.
func windows(grid *core.Grid, sizes []uint64) (all []core.Candidate) {
	for _, size := range sizes {
		at, entries := grid.Densest(size)
		all = append(all, core.Candidate{Vertices: at.Count, Linked: at.Count, Entries: entries, Cells: entries})
	}
	return all
}

// cores are made of candidates by descending size.
func cores(candidates []core.Candidate, shares []float64, entries uint64) (all []Core) {
	densest, fullest := 0.0, 0.0
	for i, c := range candidates {
		found := Core{Share: shares[i], Candidate: c, Density: c.Density(), Inside: ratio(c.Entries, entries),
			Uncompacted: ratio(c.Cells, c.Vertices) / float64(max(c.Vertices, 1))}
		found.Sparser, found.UncompactedSparser = found.Density < densest, found.Uncompacted < fullest
		densest, fullest = max(densest, found.Density), max(fullest, found.Uncompacted)
		all = append(all, found)
	}
	return all
}

// readDegrees is the degree of every vertex, of which it takes the distributions.
func (r *Report) readDegrees(ctx context.Context, snapshot *store.Snapshot) ([]uint32, error) {
	out := make([]uint32, r.Vertices)
	if err := snapshot.Degrees(ctx, chunk.Out, out); err != nil {
		return nil, err
	}
	if !r.Directed {
		r.Degrees = []Distribution{newDistribution("degree", out)}
		return out, nil
	}
	in := make([]uint32, r.Vertices)
	if err := snapshot.Degrees(ctx, chunk.In, in); err != nil {
		return nil, err
	}
	r.Degrees = []Distribution{newDistribution("out-degree", out), newDistribution("in-degree", in)}
	for v := range out {
		out[v] = uint32(min(uint64(out[v])+uint64(in[v]), math.MaxUint32))
	}
	return out, nil
}

func ratio(part, of uint64) float64 { return float64(part) / float64(max(of, 1)) }
