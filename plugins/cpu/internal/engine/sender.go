package engine

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// sender computes, once an iteration, what depends on the state before it: aggregates,
// and what each active vertex sends.
type sender struct {
	code     *compile.Code
	frontier *kernels.Frontier
	acc      *kernels.Accumulators
	messages *kernels.Messages
	settling bool
	first    bool             // the message is the first column, as it is
	partials []float64        // of each aggregate and block
	extents  []kernels.Extent // nil, or of each block, for bottomUp
}

// block prepares the vertices [from, to) of a block.
func (s *sender) block(worker, block, from, to int) {
	p := s.code
	if p.MaskedSum != nil {
		s.partials[block] = p.MaskedSum.Sum(from, to)
	}
	if p.Aggregates != nil {
		s.sumAggregates(worker, block, from, to)
	}
	switch {
	case p.Scaled != nil && s.messages.Singles != nil:
		compile.Write(p.Scaled, s.messages.Singles[from:to], from)
	case p.Scaled != nil:
		compile.Write(p.Scaled, s.messages.Column.Floats[from:to], from)
	}
	if s.settling && p.Threshold != nil {
		s.catchUp(from, to)
	}
	if p.Message != nil {
		s.writeMessages(worker, block, from, to)
	}
	if p.Selection != nil {
		p.Selection.Prepare(worker, from, to)
	}
	if p.Hoisted != nil { // a push reads those of active vertices only
		s.sending(from, to, func(from, to int) { p.Hoisted.Write(worker, from, to) })
	}
}

// one prepares a single vertex that sends along its own row.
func (s *sender) one(v int) {
	p := s.code
	if p.Hoisted != nil {
		p.Hoisted.Write(0, v, v+1)
	}
	if p.Message == nil {
		return
	}
	place := s.messages.Column.Slice(v, v+1)
	sent := p.State[0].Slice(v, v+1)
	if !s.first {
		sent = p.Message.Run(0, v, v+1).Output(0, 1)
	}
	if p.Process.Weighting == shape.Unweighted {
		s.acc.Order.Encode(place.Ints, sent)
		return
	}
	place.Copy(sent)
}

// end follows block for all blocks.
func (s *sender) end(progress *solvers.Progress) {
	s.totalAggregates()
	s.code.Settle()
	s.frontier.All = progress.AllActive()
}

// catchUp has those that are about to send take along what has reached them since.
func (s *sender) catchUp(from, to int) {
	for word := from / 64; word < bitmap.Words(to); word++ {
		departing := s.frontier.Senders[word]
		s.code.Threshold.CatchUp(s.acc.Sums.Floats, word, s.acc.Reached(word, departing))
		s.acc.Touched[word] &^= departing
	}
}

// sumAggregates sums each aggregate over a block.
func (s *sender) sumAggregates(worker, block, from, to int) {
	count, totals := parallel.BlockCount(s.code.N), s.code.Totals
	for k := range totals {
		s.partials[k*count+block] = 0
	}
	evaluation.Strips(from, to, func(from, to int) {
		m := s.code.Aggregates.Run(worker, from, to)
		for k := range totals {
			s.partials[k*count+block] += kernels.Sum(0, m.Output(k, to-from).Floats)
		}
	})
}

// totalAggregates sums the blocks in order and shows Apply the sums.
func (s *sender) totalAggregates() {
	if len(s.code.Totals) == 0 {
		return
	}
	count := parallel.BlockCount(s.code.N)
	for k, t := range s.code.Totals {
		t.Fill(vector.Scalar{Float: kernels.Sum(0, s.partials[k*count:(k+1)*count])})
	}
	if s.code.Apply != nil {
		s.code.Apply.Settle()
	}
}

// writeMessages computes the messages of a block. A push never reads those of inactive
// vertices; a pull reads all, so theirs are the identity.
func (s *sender) writeMessages(worker, block, from, to int) {
	p, all := s.code, kernels.NoKeys
	s.sending(from, to, func(from, to int) {
		words := s.frontier.Senders[from/64 : bitmap.Words(to)]
		sent := p.Message.Run(worker, from, to).Output(0, to-from)
		if s.messages.Singles != nil {
			compile.Narrow(s.messages.Singles[from:to], sent.Floats)
			return
		}
		place := s.messages.Column.Slice(from, to)
		if !shape.Accumulates(p.Spec.Reduce) && p.Process.Weighting == shape.Unweighted {
			s.acc.Order.Encode(place.Ints, sent)
			if s.extents != nil {
				all = all.And(kernels.KeysOf(words, place.Ints))
			}
			return
		}
		place.Copy(sent)
		if p.Pulls && p.Spec.Activity == algorithms.Changed {
			silence(place, words, s.acc.Identity())
		}
	})
	if s.extents != nil {
		s.extents[block] = all
	}
}

// sending calls do for strips of a block; in a push, for the parts of them that have senders.
func (s *sender) sending(from, to int, do func(from, to int)) {
	evaluation.Strips(from, to, func(from, to int) {
		if s.code.Pulls {
			do(from, to)
			return
		}
		bitmap.Spans(s.frontier.Senders[from/64:bitmap.Words(to)],
			func(first, end int) { do(from+64*first, min(from+64*end, to)) })
	})
}

// silence sets c to nothing where the bit of words is not set.
func silence(c vector.Column, words []uint64, nothing vector.Scalar) {
	for i := range c.Floats {
		if words[i/64]>>(i%64)&1 == 0 {
			c.Floats[i] = nothing.Float
		}
	}
	for i := range c.Ints {
		if words[i/64]>>(i%64)&1 == 0 {
			c.Ints[i] = nothing.Int
		}
	}
}
