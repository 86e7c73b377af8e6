package mf

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Params are those of both ways to train.
type Params struct {
	Rank   int
	Epochs int
	Rate   float64 // of SGD: how far the first steps go
	L2     float64 // λ
	Seed   uint64
}

// MaxRank bounds what a vertex holds, and the k × k systems of ALS.
const MaxRank = 4096

// Defaults are those of SGD.
func Defaults() Params { return Params{Rank: 32, Epochs: 20, Rate: 0.1, L2: 3, Seed: 1} }

// Check refuses parameters that mean nothing.
func (p Params) Check(learner string) error {
	bad := func(name string, value any, want string) error {
		return &mega.ParamError{Learner: learner, Param: name, Value: value, Want: want}
	}
	switch {
	case p.Rank < 1 || p.Rank > MaxRank:
		return bad("rank", p.Rank, "a number of factors from 1 to 4096")
	case p.Epochs < 1:
		return bad("epochs", p.Epochs, "at least 1")
	case !(p.Rate > 0) || math.IsInf(p.Rate, 0):
		return bad("rate", p.Rate, "a finite number above 0")
	case !(p.L2 >= 0) || math.IsInf(p.L2, 0):
		return bad("l2", p.L2, "a finite number of at least 0")
	}
	return nil
}
