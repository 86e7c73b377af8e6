package linear

import (
	"encoding/binary"
	"math"
	"sync/atomic"
)

// sigma is σ': how many times as much each of several workers takes its own moves to be. As many times as may move at
// once is safe: no epoch makes the dual smaller (CoCoA+; Ma et al., 2015). Where their samples are little alike, or
// moves are heard of sooner than the slack has it, less is enough, and moves are longer. So σ' begins there, and
// shrinks while the dual rises. Where it has fallen, σ' was too small: it grows, and never shrinks below that again,
// so that with 16 workers the dual can fall 11 times, at the most. What is lost then is not undone: from numbers β
// between 0 and 1, whatever they are, the dual rises to the same end. Of Primal what rises is −f, from any weights.
//
// With slack, what was too small by one course of clocks need not be by the next: σ' may slowly go below it again.
//
// Without slack it is the same in each run: no worker begins an epoch before those before it have been judged.
type sigma struct {
	now    atomic.Uint64 // as bits
	safe   float64
	least  float64 // from 1 to safe
	forget float64 // what the least becomes of itself in an epoch that rises
	before float64 // the dual after the epoch before
}

func newSigma(p Params) *sigma {
	safe, forget := p.together(), 1.0
	if p.Slack > 0 {
		forget = 0.99
	}
	s := &sigma{safe: safe, least: 1, forget: forget, before: math.Inf(-1)}
	s.now.Store(math.Float64bits(safe))
	return s
}

func (s *sigma) get() float64 { return math.Float64frombits(s.now.Load()) }

// share is how far σ' is from 1 to where it is safe.
func (s *sigma) share() float64 {
	if s.safe <= 1 {
		return 0
	}
	return (s.get() - 1) / (s.safe - 1)
}

// judged has an epoch judge σ', by what is to rise, before it is asked whether it will do.
func (s *sigma) judged(rising func(loss float64, tallies [][]float64) float64, done doneFunc) doneFunc {
	return func(epoch int, loss float64, tallies [][]float64) bool {
		s.judge(rising(loss, tallies))
		return done != nil && done(epoch, loss, tallies)
	}
}

// judge moves σ' when the dual after an epoch is known.
func (s *sigma) judge(dual float64) {
	const shrink, grow, rounding = 0.9, 1.3, 1e-12
	to := s.get()
	if fell := dual < s.before-rounding*math.Abs(s.before); fell {
		to = math.Min(s.safe, grow*to)
		s.least = to
	} else {
		to = math.Max(s.least, shrink*to)
		s.least = math.Max(1, s.forget*s.least)
	}
	s.before = dual
	s.now.Store(math.Float64bits(to))
}

// keep has σ' kept, and what it goes by.
func (s *sigma) keep(keep func([]byte)) {
	bits := binary.LittleEndian.AppendUint64(nil, s.now.Load())
	bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(s.least))
	bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(s.before))
	keep(bits)
	s.now.Store(binary.LittleEndian.Uint64(bits))
	s.least = math.Float64frombits(binary.LittleEndian.Uint64(bits[8:]))
	s.before = math.Float64frombits(binary.LittleEndian.Uint64(bits[16:]))
}
