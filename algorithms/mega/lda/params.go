package lda

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Params are the number of topics and the priors.
type Params struct {
	Topics      int
	Alpha, Beta float64
	Seed        uint64
}

// MaxTopics bounds what a document and a word hold.
const MaxTopics = 1 << 16

// Defaults are those of most papers.
func Defaults() Params { return Params{Topics: 50, Alpha: 0.1, Beta: 0.01, Seed: 1} }

// Check refuses parameters that mean nothing.
func (p Params) Check() error {
	bad := func(name string, value any, want string) error {
		return &mega.ParamError{Learner: "lda", Param: name, Value: value, Want: want}
	}
	switch {
	case p.Topics < 1 || p.Topics > MaxTopics:
		return bad("topics", p.Topics, "a number from 1 to 65536")
	case !(p.Alpha > 0) || math.IsInf(p.Alpha, 0):
		return bad("alpha", p.Alpha, "a finite number above 0")
	case !(p.Beta > 0) || math.IsInf(p.Beta, 0):
		return bad("beta", p.Beta, "a finite number above 0")
	}
	return nil
}
