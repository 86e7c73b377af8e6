package cpu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/shape"
)

// sender computes, once an iteration, what depends on the state before it: aggregates,
// and what each active vertex sends.
type sender struct {
	code     *code
	frontier *frontier
	acc      *accumulators
	messages *messages
	settling bool
	partials []float64 // of each aggregate and block
	extents  []extent  // nil, or of each block, for bottomUp
}

// block prepares the vertices [from, to) of a block.
func (s *sender) block(worker, block, from, to int) {
	p := s.code
	if p.mass != nil {
		s.partials[block] = p.mass.sum(from, to)
	}
	if p.aggregates != nil {
		s.sumAggregates(worker, block, from, to)
	}
	switch {
	case p.scaled != nil && s.messages.singles != nil:
		write(p.scaled, s.messages.singles[from:to], from)
	case p.scaled != nil:
		write(p.scaled, s.messages.column.Floats[from:to], from)
	}
	if s.settling && p.threshold != nil {
		s.catchUp(from, to)
	}
	if p.message != nil {
		s.writeMessages(worker, block, from, to)
	}
	if p.gate != nil {
		p.gate.prepare(worker, from, to)
	}
	if p.hoisted != nil { // a push reads those of active vertices only
		s.sending(from, to, func(from, to int) { p.hoisted.write(worker, from, to) })
	}
}

// end follows block for all blocks.
func (s *sender) end() {
	s.totalAggregates()
	s.code.settle()
}

// catchUp has those that are about to send take along what has reached them since.
func (s *sender) catchUp(from, to int) {
	for word := from / 64; word < bitmap.Words(to); word++ {
		departing := s.frontier.senders[word]
		s.code.threshold.catchUp(s.acc.sums.Floats, word, s.acc.reached(word)&departing)
		s.acc.touched[word] &^= departing
	}
}

// sumAggregates sums each aggregate over a block.
func (s *sender) sumAggregates(worker, block, from, to int) {
	count, totals := parallel.BlockCount(s.code.n), s.code.totals
	for k := range totals {
		s.partials[k*count+block] = 0
	}
	strips(from, to, func(from, to int) {
		m := s.code.aggregates.run(worker, from, to)
		for k := range totals {
			s.partials[k*count+block] += sum(0, m.Output(k, to-from).Floats)
		}
	})
}

// totalAggregates sums the blocks in order and shows Apply the sums.
func (s *sender) totalAggregates() {
	if len(s.code.totals) == 0 {
		return
	}
	count := parallel.BlockCount(s.code.n)
	for k, t := range s.code.totals {
		t.Fill(vector.Scalar{Float: sum(0, s.partials[k*count:(k+1)*count])})
	}
	if s.code.apply != nil {
		s.code.apply.settle()
	}
}

// writeMessages computes the messages of a block. A push never reads those of inactive
// vertices; a pull reads all, so theirs are the identity.
func (s *sender) writeMessages(worker, block, from, to int) {
	p, all := s.code, noKeys
	s.sending(from, to, func(from, to int) {
		words := s.frontier.senders[from/64 : bitmap.Words(to)]
		sent := p.message.run(worker, from, to).Output(0, to-from)
		if s.messages.singles != nil {
			narrow(s.messages.singles[from:to], sent.Floats)
			return
		}
		place := s.messages.column.Slice(from, to)
		if !shape.Accumulates(p.spec.Reduce) && p.process.Weighting == shape.Unweighted {
			s.acc.order.encode(place.Ints, sent)
			if s.extents != nil {
				all = all.and(keysOf(words, place.Ints))
			}
			return
		}
		place.Copy(sent)
		if p.pulls && p.spec.Activity == algorithms.Changed {
			silence(place, words, s.acc.identity())
		}
	})
	if s.extents != nil {
		s.extents[block] = all
	}
}

// sending calls do for strips of a block; in a push, for the parts of them that have senders.
func (s *sender) sending(from, to int, do func(from, to int)) {
	strips(from, to, func(from, to int) {
		if s.code.pulls {
			do(from, to)
			return
		}
		spans(s.frontier.senders[from/64:bitmap.Words(to)], func(first, end int) { do(from+64*first, min(from+64*end, to)) })
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
