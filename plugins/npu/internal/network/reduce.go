package network

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// What a stage adds up is added up interval by interval. Where plugins.Grid.Shared is, other devices have other
// intervals, and the sums go from one to the next; the bits are the same.
//
//	Rows, Cell… of an interval ──reduce──▶ sums of those before and this one ──▶ … ──endStage──▶ parameters

// Reduce adds what the interval at hand has come to to the sums of those before.
func (t *GridTask) Reduce(number int, piece plugins.Piece) error {
	p, s, err := t.find(number, piece, &dataflow.Dropout{})
	if err != nil {
		return err
	}
	if !p.begun || piece.Once != p.at.Once || piece.Stage != p.at.Stage || piece.Interval != p.at.Interval ||
		int(p.at.Wave) != len(s.Waves)-1 {
		return plugins.Errorf(plugins.KindInvalid, "sums of an interval that is not at hand, or has more waves")
	}
	p.begun = false
	return t.reduce(p, s)
}

// Reduced ends a stage of which all intervals have been computed, here or elsewhere.
func (t *GridTask) Reduced(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error {
	p, s, err := t.find(number, piece, &dropout)
	if err != nil {
		return err
	}
	p.at, p.begun = piece, false
	return t.endStage(ctx, p, s)
}

// reduce adds what an interval has come to to the sums.
func (t *GridTask) reduce(p *gridPass, s *gridStage) error {
	sums, err := t.sumsOf(s)
	for v, sum := range sums {
		addTo(sum, p.known[v])
	}
	return err
}

// endStage makes parameters of the sums of all intervals.
func (t *GridTask) endStage(ctx context.Context, p *gridPass, s *gridStage) error {
	sums, err := t.sumsOf(s)
	if err != nil {
		return err
	}
	for v, sum := range sums {
		copy(p.known[v], sum)
	}
	p.ended = !p.at.Once && int(p.at.Stage) == len(p.stages[1])-1
	if s.small == nil {
		return nil
	}
	return s.small.run(ctx, t.on)
}

// sumsOf are those of what a stage adds up.
func (t *GridTask) sumsOf(s *gridStage) (map[*dataflow.Value][]float32, error) {
	numbers := t.sums
	if t.network.Grid.Shared {
		var err error
		if numbers, err = t.job.Arena.Float32s(t.network.Grid.Sums); err != nil {
			return nil, plugins.Errorf(plugins.KindInvalid, "sums: %w", err)
		}
	}
	return kit.Sums(numbers, s.Added())
}
