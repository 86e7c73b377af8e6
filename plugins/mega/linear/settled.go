package linear

import (
	"encoding/binary"
	"math"
)

// settled is whether the last epochs have hardly lowered f. Small slopes alone do not tell: where samples can be told
// apart almost without an error, f is far above the least with all slopes near 0.
type settled struct {
	share       float64
	late, early mark // both are of epochs before; late is the nearer one
}

// mark is what f was after so many epochs.
type mark struct{ epochs, f float64 }

// after says whether no more than the share of f has gone in the last tenth of epochs, or more, and in no fewer than
// five, when so many have passed.
func (s *settled) after(epochs int, f float64) bool {
	const fewest, part = 5, 0.1
	now := mark{float64(epochs), f}
	if now.epochs-s.late.epochs >= math.Max(fewest, part*now.epochs) {
		s.late, s.early = now, s.late
	}
	return s.early.epochs > 0 && s.early.f-f <= s.share*f
}

// judged has an epoch be judged before it is asked whether it will do.
func (s *settled) judged(done doneFunc) doneFunc {
	if done == nil {
		return nil
	}
	return func(epoch int, f float64, tallies [][]float64) bool {
		still := s.after(epoch+1, f)
		return done(epoch, f, tallies) && still
	}
}

// keep has what f was be kept.
func (s *settled) keep(keep func([]byte)) {
	numbers := []*float64{&s.late.epochs, &s.late.f, &s.early.epochs, &s.early.f}
	var bits []byte
	for _, x := range numbers {
		bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(*x))
	}
	keep(bits)
	for i, x := range numbers {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(bits[8*i:]))
	}
}
