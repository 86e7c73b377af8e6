package neural

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// ends are those whose rows and edges are in a region that stays.
func ends(g *plugins.Grid, region int) []dataflow.End {
	if g.Rows[0] == g.Rows[1] && g.Cells[0] == g.Cells[1] {
		return []dataflow.End{dataflow.AtTarget, dataflow.AtSource}
	}
	return []dataflow.End{dataflow.End(region)}
}

// stayingOf is what stays in the regions of a network's grid.
func stayingOf(network *plugins.Network) (staying [2]grid.Staying) {
	if !network.Grid.Stays {
		return staying
	}
	var passes []grid.Reader
	for _, p := range network.Passes {
		if p.Batched {
			continue
		}
		schedule := dataflow.NewSchedule(network.Values, p.Roots...)
		passes = append(passes, grid.Reader{
			Stages: append(grid.Stages(schedule.Once), grid.Stages(schedule.Epoch)...),
			Sparse: dataflow.Sparse(dataflow.Order(network.Values, p.Roots...), givenSparse(network.Inputs))})
	}
	for region := range staying {
		staying[region] = grid.StayingAt(ends(network.Grid, region), passes)
	}
	return staying
}

// stayingRows are the rows that stay in a region, as this pass reads them.
func (s *Streamed) stayingRows(staying *grid.Staying, region []byte, vertices int) (map[*dataflow.Value]grid.Rows,
	error) {
	sparse, all, err := staying.Place(region, vertices, nil)
	for v, rows := range sparse {
		if s.sparse[v] {
			all[v] = rows
		}
	}
	return all, err
}

// sumsAt are the numbers at Grid.Sums of what a stage adds up.
func (s *Streamed) sumsAt(p *pass[float32]) (map[*dataflow.Value][]float32, error) {
	numbers, err := s.memory.Float32s(s.grid.Sums)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "sums: %w", err)
	}
	return kit.Sums(numbers, p.sums)
}

// Reduce adds up what the sections of the interval at hand have come to, in their order, behind those of the intervals
// before.
func (s *Streamed) Reduce(piece plugins.Piece) error {
	stage, p, err := s.find(piece)
	if err != nil {
		return err
	}
	if !s.begun || piece.Once != s.at.Once || piece.Stage != s.at.Stage || piece.Interval != s.at.Interval ||
		int(s.at.Wave) != len(stage.Waves)-1 {
		return plugins.Errorf(plugins.KindInvalid, "sums of an interval that is not at hand, or has more waves")
	}
	sums, err := s.sumsAt(p)
	if err != nil {
		return err
	}
	for _, v := range p.sums {
		for _, partial := range p.partial[:len(s.bounds(stage.End))-1] {
			weightedSum(sums[v], partial[v], nil, nil, 1, 0, 0)
		}
	}
	s.begun = false
	return nil
}

// Reduced ends a stage of which all intervals have been computed, here or elsewhere.
func (s *Streamed) Reduced(piece plugins.Piece, dropout dataflow.Dropout) error {
	k := 1
	if piece.Once {
		k = 0
	}
	if int(piece.Stage) >= len(s.stages[k]) {
		return plugins.Errorf(plugins.KindInvalid, "stage %d of %d", piece.Stage, len(s.stages[k]))
	}
	p := &s.passes[k][piece.Stage]
	sums, err := s.sumsAt(p)
	if err != nil {
		return err
	}
	for _, v := range p.sums {
		copy(s.known[v.ID], sums[v])
	}
	s.at, s.begun, s.dropout = piece, false, dropout
	s.end(p)
	return nil
}
