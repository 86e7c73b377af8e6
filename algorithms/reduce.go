package algorithms

import "math"

var reduceNames = [...]string{Sum: "sum", Prod: "prod", Min: "min", Max: "max", And: "and", Or: "or"}

func (r Reduce) String() string { return reduceNames[r] }

// FloatIdentity is the e with Reduce(e, x) = x for every float64 x. And and Or have none; it is 0.
func (r Reduce) FloatIdentity() float64 {
	switch r {
	case Prod:
		return 1
	case Min:
		return math.Inf(1)
	case Max:
		return math.Inf(-1)
	}
	return 0
}

// IntIdentity is the e with Reduce(e, x) = x for every int64 x. And and Or have none; it is 0.
func (r Reduce) IntIdentity() int64 {
	switch r {
	case Prod:
		return 1
	case Min:
		return math.MaxInt64
	case Max:
		return math.MinInt64
	}
	return 0
}

// BoolIdentity is true for And and false for Or.
func (r Reduce) BoolIdentity() bool { return r == And }

// Suits says whether r combines values of type t: And and Or combine Bool, the others numbers.
func (r Reduce) Suits(t Type) bool { return (r == And || r == Or) == (t == Bool) }

// CombineFloats is Reduce(a, b).
func (r Reduce) CombineFloats(a, b float64) float64 {
	switch r {
	case Prod:
		return a * b
	case Min:
		return min(a, b)
	case Max:
		return max(a, b)
	}
	return a + b
}

// CombineInts is Reduce(a, b). Sum and Prod wrap around.
func (r Reduce) CombineInts(a, b int64) int64 {
	switch r {
	case Prod:
		return a * b
	case Min:
		return min(a, b)
	case Max:
		return max(a, b)
	}
	return a + b
}

// CombineBools is Reduce(a, b).
func (r Reduce) CombineBools(a, b bool) bool {
	if r == And {
		return a && b
	}
	return a || b
}
