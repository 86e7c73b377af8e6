package sample

import (
	"context"
	"math"
	"sync"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// All is a fanout that keeps all neighbors.
const All = math.MaxInt32

// Lists are the edges that lead to each vertex of a large graph, sorted; with loops, the vertex itself first. Several
// goroutines may read.
type Lists interface {
	Degree(v uint32) int
	// Read reads of the list of v the entries at some places, ascending; nil: all. There is room for them in others, and
	// in properties from at on.
	Read(v uint32, places []int, others []uint32, properties [][]float64, at int) error
}

// Sampler cuts graphs out of a large one.
type Sampler struct {
	Lists      Lists
	Fanouts    Fanouts
	Loops      bool // the first entry of each list is the vertex itself
	Properties int  // of each edge
	Seed       uint64
	Threads    int

	rows []uint32 // of each vertex of the large graph, 1 + its row in the graph at hand; 0: it is not there
}

// NewRows makes room for a large graph of so many vertices: 4 bytes of each.
func (s *Sampler) NewRows(vertices uint64) { s.rows = make([]uint32, vertices) }

// kept is how many entries are kept of a list that has so many.
func kept(degree, fanout int, loops bool) int {
	if loops {
		return 1 + min(degree-1, fanout)
	}
	return min(degree, fanout)
}

// Cut samples the neighborhood of some vertices, each of which is there once, into g.
func (s *Sampler) Cut(ctx context.Context, epoch int, seeds []uint32, g *Graph) error {
	g.reset(s.Properties)
	defer func() {
		for _, v := range g.Vertices {
			s.rows[v] = 0
		}
	}()
	g.Seeds = len(seeds)
	for _, v := range seeds {
		s.meet(g, v)
	}
	from := 0
	for hop, fanout := range s.Fanouts {
		to := len(g.Vertices)
		if err := s.hop(ctx, g, epoch, hop, fanout, from, to); err != nil {
			return err
		}
		from = to
	}
	g.end(from)
	return nil
}

// meet is the row of a vertex.
func (s *Sampler) meet(g *Graph, v uint32) uint32 {
	if s.rows[v] == 0 {
		g.Vertices = append(g.Vertices, v)
		g.Degrees = append(g.Degrees, float32(s.Lists.Degree(v)))
		s.rows[v] = uint32(len(g.Vertices))
	}
	return s.rows[v] - 1
}

// hop looks at the lists of rows [from, to).
func (s *Sampler) hop(ctx context.Context, g *Graph, epoch, hop, fanout, from, to int) error {
	first := len(g.Others)
	for _, v := range g.Vertices[from:to] {
		degree, each := s.Lists.Degree(v), float32(1)
		count := kept(degree, fanout, s.Loops)
		if count > 0 {
			each = float32(degree) / float32(count)
		}
		g.Offsets = append(g.Offsets, g.Offsets[len(g.Offsets)-1]+int64(count))
		g.PerSample = append(g.PerSample, each)
	}
	edges := int(g.Offsets[to])
	g.Others = grown(g.Others, edges)
	for i := range g.Properties {
		g.Properties[i] = grown(g.Properties[i], edges)
	}
	if err := s.read(ctx, g, epoch, hop, from, to); err != nil {
		return err
	}
	for e := first; e < edges; e++ {
		g.Others[e] = s.meet(g, g.Others[e])
	}
	return nil
}

// grown is x with n elements.
func grown[T any](x []T, n int) []T {
	if n <= cap(x) {
		return x[:n]
	}
	return append(x, make([]T, n-len(x))...)
}

// rowsAtOnce is how many lists a goroutine reads before it asks for more.
const rowsAtOnce = 64

// read reads what rows [from, to) keep of their lists: vertices of the large graph.
func (s *Sampler) read(ctx context.Context, g *Graph, epoch, hop, from, to int) error {
	var group sync.WaitGroup
	var mu sync.Mutex // protects next and failed
	var failed error
	next := from
	take := func() (first, last int) {
		mu.Lock()
		defer mu.Unlock()
		if failed == nil {
			failed = context.Cause(ctx)
		}
		if failed != nil {
			return to, to
		}
		first = next
		next = min(next+rowsAtOnce, to)
		return first, next
	}
	for range max(1, min(s.Threads, (to-from+rowsAtOnce-1)/rowsAtOnce)) {
		group.Add(1)
		go func() {
			defer group.Done()
			var places []int
			for {
				first, last := take()
				if first == last {
					return
				}
				for row := first; row < last; row++ {
					var err error
					if places, err = s.list(g, epoch, hop, row, places); err != nil {
						mu.Lock()
						failed = err
						mu.Unlock()
					}
				}
			}
		}()
	}
	group.Wait()
	return failed
}

// list reads what a row keeps of its list, with places to use.
func (s *Sampler) list(g *Graph, epoch, hop, row int, places []int) ([]int, error) {
	v, at, end := g.Vertices[row], int(g.Offsets[row]), int(g.Offsets[row+1])
	degree := s.Lists.Degree(v)
	if end-at == degree {
		return places, s.Lists.Read(v, nil, g.Others[at:end], g.Properties, at)
	}
	key := Key(s.Seed, epoch, hop, v)
	if !s.Loops {
		places = Places(places[:0], key, degree, end-at)
	} else {
		places = Places(places[:0], key, degree-1, end-at-1)
		for i := range places {
			places[i]++
		}
		places = append(places, 0)
		copy(places[1:], places)
		places[0] = 0
	}
	return places, s.Lists.Read(v, places, g.Others[at:end], g.Properties, at)
}

// Dropout is what dropouts drop in a batch: rows are numbered from 0 in each, and each drops others.
func Dropout(seed uint64, epoch, batch int) dataflow.Dropout {
	return dataflow.Dropout{Seed: mix(mix(seed) ^ uint64(batch)), Epoch: epoch}
}
