package labelpropagation

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/coloring"
)

// semisynchronous is label propagation, one color after the other. Those of a color have no edge between them, so that
// they take their labels side by side. (Cordasco and Gargano 2010.)
type semisynchronous struct {
	procedures.Input
	ids, seeds, community []int64
	sides                 []csr.Index // whose lists have all edges of a vertex
	units                 float64     // in a weight of 1: weights are whole numbers of units
	label                 []uint32    // of each vertex, numbered as labels ascend
	tallies               [][]int64   // of each worker, what each label weighs; all zeros between vertices
}

func init() {
	procedures.Register("label-propagation", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "labels of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		integers := []algorithms.Column{{Name: "id", Type: algorithms.Int}, {Name: "community", Type: algorithms.Int}}
		seeds := algorithms.InputColumn("seedProperty")
		if f.Args.Strings["seedProperty"] != "" {
			integers = append(integers, algorithms.Column{Name: seeds, Type: algorithms.Int})
		}
		return &semisynchronous{Input: f, ids: f.Columns["id"].Ints, seeds: f.Columns[seeds].Ints,
			community: f.Columns["community"].Ints}, f.Columns.Require(integers...)
	})
}

// Scratch: colors; labels as they are given and numbered, vertices in the order of colors, and the tallies.
func (s *semisynchronous) Scratch() uint64 {
	return coloring.Bytes(s.N, s.Pool) + uint64(s.N)*(16+4+4+8*uint64(s.Pool.Threads))
}

func (s *semisynchronous) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	most, err := procedures.LargestWeight("label-propagation", s.ids, chunks)
	if err != nil {
		return 0, err
	}
	entries := csr.Entries(chunks)
	s.sides = csr.EitherWay(s.Graph.Directed, chunks)
	s.units = math.Ldexp(1, algorithms.CapacityShift(most, int(2*entries)))
	names, err := s.begin()
	if err != nil {
		return 0, err
	}
	if err := coloring.Of(ctx, s.Input, chunks, s.community, func(x float64) { tell(0.2 * x) }); err != nil {
		return 0, err
	}
	order, starts := byColor(s.community)
	edges, rounds := 5*entries, s.Args.Ints["iterations"]
	for k, changed := int64(0), true; k < rounds && changed; k++ {
		if changed, err = s.round(ctx, order, starts); err != nil {
			return edges, err
		}
		edges += 2 * entries
		tell(0.2 + 0.8*float64(k+1)/float64(rounds))
	}
	for v, l := range s.label {
		s.community[v] = names[l]
	}
	return edges, nil
}

// begin numbers the labels that vertices begin with, as they ascend. It gives out which they are.
func (s *semisynchronous) begin() (names []int64, err error) {
	first, err := community.FirstLabels(s.ids, s.seeds)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "label-propagation: %s", err)
	}
	names = slices.Clone(first)
	slices.Sort(names)
	names = slices.Compact(names)
	s.label, s.tallies = make([]uint32, s.N), make([][]int64, s.Pool.Threads)
	for v, label := range first {
		number, _ := slices.BinarySearch(names, label)
		s.label[v] = uint32(number)
	}
	for i := range s.tallies {
		s.tallies[i] = make([]int64, len(names))
	}
	return names, nil
}

// byColor are the vertices in the order of their colors, which begin at starts.
func byColor(color []int64) (order []uint32, starts []int) {
	starts = make([]int, slices.Max(append([]int64{-1}, color...))+2)
	for _, c := range color {
		starts[c+1]++
	}
	for c := 1; c < len(starts); c++ {
		starts[c] += starts[c-1]
	}
	order, next := make([]uint32, len(color)), slices.Clone(starts)
	for v, c := range color {
		order[next[c]] = uint32(v)
		next[c]++
	}
	return order, starts
}

// round has every vertex take its label, and tells whether one has changed.
func (s *semisynchronous) round(ctx context.Context, order []uint32, starts []int) (bool, error) {
	var changed atomic.Bool
	for c := range len(starts) - 1 {
		class := order[starts[c]:starts[c+1]]
		groups := (len(class) + procedures.GroupVertices - 1) / procedures.GroupVertices
		err := s.Pool.Run(ctx, groups, func(worker, group int) {
			from := group * procedures.GroupVertices
			for _, v := range class[from:min(from+procedures.GroupVertices, len(class))] {
				if l := s.heaviest(v, s.tallies[worker]); l != s.label[v] {
					s.label[v] = l
					changed.Store(true)
				}
			}
		})
		if err != nil {
			return false, err
		}
	}
	return changed.Load(), nil
}

// heaviest is the label that weighs most among the neighbors of v: its own if none weighs more, and else of several the
// smallest.
func (s *semisynchronous) heaviest(v uint32, tally []int64) uint32 {
	s.neighbors(v, func(u uint32, weight int64) { tally[s.label[u]] += weight })
	own := s.label[v]
	best, most := own, tally[own]
	s.neighbors(v, func(u uint32, _ int64) {
		l := s.label[u]
		if w := tally[l]; w > most || w == most && w > 0 && best != own && l < best {
			best, most = l, w
		}
		tally[l] = 0
	})
	return best
}

// neighbors calls visit with the other end of each edge of v but loops, and what it weighs.
func (s *semisynchronous) neighbors(v uint32, visit func(u uint32, weight int64)) {
	for _, side := range s.sides {
		for _, c := range side.Of(int(v)) {
			from, to := c.EdgeRange(int(v))
			for e := from; e < to; e++ {
				u, weight := uint32(c.Cols.Base)+c.Neighbors[e], 1.0
				if len(c.Weights) > 0 {
					weight = c.Weights[0][e]
				}
				if u != v {
					visit(u, int64(math.RoundToEven(weight*s.units)))
				}
			}
		}
	}
}
