package network

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
)

// Pass computes the roots of a pass, and says how many edges an epoch looks at.
func (t *Task) Pass(ctx context.Context, number int, dropout dataflow.Dropout) (edges uint64, err error) {
	if !t.ready || number < 0 || number >= len(t.passes) {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d of %d: lists have come is %v", number, len(t.passes), t.ready)
	}
	p := t.passes[number]
	dropout.Off = !p.Drops
	for v, d := range t.dropped {
		d.rows.drop(t.given[v], d.mask, dropout, t.whole)
	}
	if !p.fixed {
		for _, s := range p.once {
			if err := t.run(ctx, p, s, dropout); err != nil {
				return 0, err
			}
		}
		p.fixed = true
	}
	for _, s := range p.epoch {
		if err := t.run(ctx, p, s, dropout); err != nil {
			return 0, err
		}
		for _, w := range s.Waves {
			if len(w.Gathers) > 0 {
				edges += uint64(len(t.pairs[s.End].lists.Others))
			}
		}
	}
	return edges, t.leave(p)
}

// run computes a stage: a block after the other, what they add to parameters, and what is made of these.
func (t *Task) run(ctx context.Context, p *pass, s *stage, dropout dataflow.Dropout) error {
	p.clear(s)
	for _, b := range s.blocks {
		if err := t.runBlock(ctx, p, s, b, dropout); err != nil {
			return err
		}
	}
	return t.runSmall(ctx, p, s)
}

// clear makes 0 what blocks are added to.
func (p *pass) clear(s *stage) {
	for _, v := range stored(s.Stage) {
		if v.Place == dataflow.Parameters {
			clear(p.known[v])
		}
	}
}

// runSmall computes the parameters that are made of parameters.
func (t *Task) runSmall(ctx context.Context, p *pass, s *stage) error {
	if s.small == nil {
		return nil
	}
	if err := t.rebind(p, s, s.small); err != nil {
		return err
	}
	return s.small.binding.Run(ctx)
}

func (t *Task) runBlock(ctx context.Context, p *pass, s *stage, b *block, dropout dataflow.Dropout) error {
	for _, o := range b.model.Inputs {
		switch o.Kind {
		case lowering.Factors:
			rowFactors(s.factors[o.Value][:b.rows*o.Value.Width], o.Value, dropout, t.whole, b.first)
		case lowering.EdgeFactors:
			pairs := t.pairs[s.End]
			to := s.factors[o.Value][:o.Value.Width*b.rows*pairs.width]
			pairFactors(to, o.Value, dropout, t.whole, s.End, pairs, b.first, b.rows)
		}
	}
	if err := t.rebind(p, s, b); err != nil {
		return err
	}
	if err := b.binding.Run(ctx); err != nil {
		return err
	}
	for _, o := range b.model.Outputs {
		if o.Kind == lowering.Sum {
			sum := p.known[o.Value]
			for i, x := range s.partial[o.Value][:len(sum)] {
				sum[i] += x
			}
		}
	}
	return nil
}

// leave puts roots where a pass says, one after the other.
func (t *Task) leave(p *pass) error {
	to, err := t.job.Arena.Float32s(p.At)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a pass: %w", err)
	}
	for _, root := range p.Roots {
		numbers := p.known[root]
		if len(to) < len(numbers) {
			return plugins.Errorf(plugins.KindInvalid, "the roots of a pass do not fit their range")
		}
		to = to[copy(to, numbers):]
	}
	return nil
}
