package betweenness

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/centrality"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// streamed is Brandes's algorithm on a graph that does not fit. It searches from as many sources at once as it has room
// for, level by level together, so that a list serves all of them for which its vertex is on the level.
//
//	forward:  lists of a level ──▶ levels and σ of the next one       until it is empty
//	backward: lists of a level ──▶ its shares, from those one after   of vertices that a shortest path goes through
//
// It keeps 24 bytes a vertex and three sets, and 20 bytes for each source of a group. Of a directed graph it reads the
// lists along the edges.
type streamed struct {
	*betweenness
	width int // sources of a group

	sources []int
	scale   float64
	group   []int     // of sources
	level   []int32   // of each vertex, for each of the group: 0, not reached; the source has 1
	paths   []float64 // σ, likewise
	shares  []float64 // on the way back, likewise

	due, later []uint64 // sets: what is left of this level, and the next one on the way out
	inner      []uint64 // set: an edge leads to the next level, for some source
	at         int32    // level
	deepest    int32    // level, on the way back
	onward     bool     // on the way out
	cursor     int
}

const (
	laneBytes = 4 + 8 + 8 // of a vertex, for a source
	mostLanes = 64
)

func init() {
	procedures.RegisterStreamed("betweenness", func(f procedures.Input) (procedures.Streamed, error) {
		b, err := newBetweenness(f)
		if err != nil {
			return nil, err
		}
		s := &streamed{betweenness: b.(*betweenness), width: 1}
		if s.weighted() {
			return nil, plugins.Errorf(plugins.KindUnsupported, "betweenness by weights needs all chunks at once")
		}
		return s, nil
	})
}

// Lists are those along the edges.
func (s *streamed) Lists() algorithms.Edges { return algorithms.Forward }

// Scratch: the sources as they are drawn, the sets, and what each source of a group takes.
func (s *streamed) Scratch() uint64 {
	return 24*uint64(s.N) + 3*8*uint64(bitmap.Words(s.N)) + uint64(s.width)*laneBytes*uint64(s.N)
}

// Widen searches from more sources at once, if so many bytes are enough.
func (s *streamed) Widen(room uint64) {
	most := uint64(min(mostLanes, s.N))
	if named, given := s.Args.Vertices["source"]; given {
		most = min(most, uint64(len(named)))
	} else if k, given := s.Args.Ints["sources"]; given {
		most = min(most, uint64(k))
	}
	s.width = int(max(1, min(1+room/(laneBytes*uint64(max(s.N, 1))), most)))
}

// Keeps is false: a list is done with when its pass ends.
func (s *streamed) Keeps() bool { return false }

// Start draws the sources.
func (s *streamed) Start(ctx context.Context, _ uint64) (err error) {
	clear(s.sum)
	if s.sources, s.scale, err = centrality.BetweennessSources(s.ids, s.Args); err != nil {
		return plugins.Errorf(plugins.KindInvalid, "betweenness: %v", err)
	}
	words := bitmap.Words(s.N)
	s.due, s.later, s.inner = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	s.level, s.paths = make([]int32, s.N*s.width), make([]float64, s.N*s.width)
	s.shares = make([]float64, s.N*s.width)
	s.group = nil
	return ctx.Err()
}

// Next asks for what is left of a level, or for the next one.
func (s *streamed) Next(ctx context.Context, b *lists.Batch) error {
	for ctx.Err() == nil {
		if s.add(b); len(b.Vertices) > 0 || b.Refused {
			break
		}
		if !s.advance() {
			for v := range s.sum {
				s.sum[v] *= s.scale
			}
			break
		}
	}
	return ctx.Err()
}

// add adds vertices that are due, from the cursor on, as many as there is room for.
func (s *streamed) add(b *lists.Batch) {
	for ; s.cursor < s.N; s.cursor++ {
		if s.due[s.cursor/64]>>(s.cursor%64) == 0 {
			s.cursor |= 63
		} else if bitmap.Has(s.due, s.cursor) && !b.Add(s.cursor) {
			return
		}
	}
}

// advance makes the vertices of the next level due, and tells whether there is one, of this group or the next.
func (s *streamed) advance() bool {
	s.cursor = 0
	if s.onward && bitmap.Count(s.later) > 0 {
		s.at++
		s.due, s.later = s.later, s.due
		clear(s.later)
		return true
	}
	if s.onward {
		s.onward, s.deepest = false, s.at
	}
	if s.at <= 2 { // what depends on a source itself does not count
		return s.begin()
	}
	s.at--
	s.retreat()
	return true
}

// begin has the next sources due.
func (s *streamed) begin() bool {
	s.sources = s.sources[len(s.group):]
	if s.group = s.sources[:min(s.width, len(s.sources))]; len(s.group) == 0 {
		return false
	}
	clear(s.level)
	clear(s.paths)
	clear(s.due)
	clear(s.later)
	clear(s.inner)
	for lane, v := range s.group {
		s.level[v*s.width+lane], s.paths[v*s.width+lane] = 1, 1
		s.due[v/64] |= 1 << (v % 64)
	}
	s.at, s.onward = 1, true
	return true
}

// retreat has those of a level due that something depends on. Those of the level after it that nothing depends on have
// their shares by now.
func (s *streamed) retreat() {
	clear(s.due)
	for v := range s.N {
		for i := v * s.width; i < (v+1)*s.width; i++ {
			switch inner := bitmap.Has(s.inner, v); {
			case s.level[i] == s.at && inner:
				s.due[v/64] |= 1 << (v % 64)
			case s.level[i] == s.at+1 && (!inner || s.at+1 == s.deepest):
				s.shares[i] = 1 / s.paths[i]
			}
		}
	}
}

// Work goes one level on, or back.
func (s *streamed) Work(ctx context.Context, b *lists.Batch) error {
	if s.onward {
		return s.reach(ctx, b)
	}
	const few = 64 // vertices of a task
	return s.Pool.Run(ctx, (len(b.Vertices)+few-1)/few, func(_, task int) {
		for i := task * few; i < min((task+1)*few, len(b.Vertices)); i++ {
			s.depend(int(b.Vertices[i]), b.Out(i))
		}
	})
}

// reach adds the paths to the vertices of a level to those of the next.
func (s *streamed) reach(ctx context.Context, b *lists.Batch) error {
	for i, v := range b.Vertices {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for lane := range s.group {
			from := int(v)*s.width + lane
			if s.level[from] != s.at {
				continue
			}
			for _, u := range b.Out(i) {
				to := int(u)*s.width + lane
				if s.level[to] == 0 {
					s.level[to] = s.at + 1
					s.later[u/64] |= 1 << (u % 64)
				}
				if s.level[to] != s.at+1 {
					continue
				}
				s.inner[v/64] |= 1 << (v % 64)
				if s.paths[to] += s.paths[from]; s.paths[to] > math.MaxFloat64 {
					return tooManyPaths()
				}
			}
		}
	}
	return nil
}

// depend adds up what depends on a vertex of a level.
func (s *streamed) depend(v int, list []uint32) {
	for lane := range s.group {
		own := v*s.width + lane
		if s.level[own] != s.at {
			continue
		}
		shares := 0.0
		for _, u := range list {
			if to := int(u)*s.width + lane; s.level[to] == s.at+1 {
				shares += s.shares[to]
			}
		}
		s.sum[v] += s.paths[own] * shares
		s.shares[own] = 1/s.paths[own] + shares
	}
}
