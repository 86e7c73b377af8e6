package grid

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Staying is what stays on a device that has one interval at an end: the rows that stages there read or store, and
// those of far ends. Stages, passes and epochs find each at the same place.
type Staying struct {
	Sparse []*dataflow.Value // inputs of the interval that come as numbers that are not 0
	Dense  []*dataflow.Value // all other rows of the interval
	Far    []*dataflow.Value // of the cell's sources
}

// Reader is a pass, by its stages and the inputs that come sparse to it.
type Reader struct {
	Stages []Stage
	Sparse map[*dataflow.Value]bool
}

// StayingAt is what passes need at some ends.
func StayingAt(ends []dataflow.End, passes []Reader) (s Staying) {
	take := func(list *[]*dataflow.Value, values ...*dataflow.Value) {
		for _, v := range values {
			if !slices.Contains(*list, v) {
				*list = append(*list, v)
			}
		}
	}
	for _, p := range passes {
		for _, stage := range p.Stages {
			if !slices.Contains(ends, stage.End) {
				continue
			}
			for _, v := range stage.Near {
				if p.Sparse[v] {
					take(&s.Sparse, v)
				} else {
					take(&s.Dense, v)
				}
			}
			take(&s.Dense, stage.Stored...)
			take(&s.Far, slices.Concat(stage.Far...)...)
		}
	}
	for _, list := range [][]*dataflow.Value{s.Sparse, s.Dense, s.Far} {
		slices.SortFunc(list, func(a, b *dataflow.Value) int { return a.ID - b.ID })
	}
	return s
}

// parts are the rows as PlaceRows and RowsBytes place them: sparse ones, then the others.
func (s *Staying) parts() (sparse, dense Stage, are map[*dataflow.Value]bool) {
	are = map[*dataflow.Value]bool{}
	for _, v := range s.Sparse {
		are[v] = true
	}
	return Stage{Stage: &dataflow.Stage{}, Near: s.Sparse}, Stage{Stage: &dataflow.Stage{}, Near: s.Dense}, are
}

// Place finds what lies in a region of rows, as Stage.PlaceRows does.
func (s *Staying) Place(region []byte, vertices int, entries Entries) (sparse, dense map[*dataflow.Value]Rows,
	err error) {
	few, all, are := s.parts()
	if sparse, err = few.PlaceRows(region, vertices, are, entries); err != nil {
		return nil, nil, err
	}
	at := few.RowsBytes(vertices, are, func(v *dataflow.Value) int64 { return int64(len(sparse[v].Numbers)) })
	dense, err = all.PlaceRows(region[at:], vertices, nil, nil)
	return sparse, dense, err
}

// Bytes is what Place needs.
func (s *Staying) Bytes(vertices int, entries Entries) uint64 {
	few, all, are := s.parts()
	return few.RowsBytes(vertices, are, entries) + all.RowsBytes(vertices, nil, nil)
}
