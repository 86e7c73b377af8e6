package dataflow

import "math"

// Op is how a value is made of its arguments.
type Op uint8

const (
	// Leaves.
	Input     Op = iota // rows that are given: features, labels, degrees
	Parameter           // a matrix that is learned
	Number              // 1 × 1
	Mask                // of dropout: 0 with probability Number, else 1/(1-Number)
	Property            // a number of each edge

	// From one place to another.
	Source    // the row of an edge's source
	Target    // the row of an edge's target
	GatherSum // for each vertex the sum over the edges that have it at End
	GatherMax // or the largest, element by element; 0 where there are no edges
	SumRows   // the sum of all rows, a parameter of one row
	Repeat    // a parameter of one row, for each vertex
	Outer     // Σ xᵀ·y over all rows, a parameter

	// Products with a parameter.
	Product           // x·P
	ProductTransposed // x·Pᵀ

	// Widths.
	SumParts // the sums of Width equal parts of a row, as of a head
	Spread   // each number as often as its part is wide
	Join     // rows side by side
	Part     // Width columns from column Number on

	// Of a loss.
	CrossEntropy      // of logits and a class: -log softmax(logits)[class]; 0 where the class is negative
	CrossEntropySlope // its gradient: softmax(logits) less 1 at the class

	// Of one argument, element by element.
	Negate
	Relu
	LeakyRelu // slope Number below 0
	Elu
	Sigmoid
	Tanh
	Exp
	Log
	Sqrt
	Softplus // log(1 + exp(x))
	Abs
	Positive   // 1 above 0, else 0: the slope of Relu
	LeakySlope // 1 above 0, else Number
	EluSlope   // 1 above 0, else exp(x)
	Sign
	Stop // x itself, but no gradient passes

	// Of two arguments, element by element. The narrower is repeated by parts: of widths 2 and 6, the first number
	// goes with the first three.
	Add
	Subtract
	Multiply
	Divide // 0 where the divisor is, as of a vertex without edges by its degree
	Max
	Equal   // 1 or 0
	Greater // 1 or 0

	Hold // an edge value, stored for many edges before anything reads it: see Held
)

var opNames = [...]string{
	Input: "input", Parameter: "parameter", Number: "number", Mask: "mask", Property: "property",
	Source: "source", Target: "target", GatherSum: "gather_sum", GatherMax: "gather_max", SumRows: "sum_rows",
	Repeat: "repeat", Outer: "outer", Product: "product", ProductTransposed: "product_transposed",
	SumParts: "sum_parts", Spread: "spread", Join: "join", Part: "part",
	CrossEntropy: "cross_entropy", CrossEntropySlope: "cross_entropy_slope",
	Negate: "negate", Relu: "relu", LeakyRelu: "leaky_relu", Elu: "elu", Sigmoid: "sigmoid", Tanh: "tanh", Exp: "exp",
	Log: "log", Sqrt: "sqrt", Softplus: "softplus", Abs: "abs", Positive: "positive", LeakySlope: "leaky_slope",
	EluSlope: "elu_slope", Sign: "sign", Stop: "stop",
	Add: "add", Subtract: "subtract", Multiply: "multiply", Divide: "divide", Max: "max", Equal: "equal",
	Greater: "greater", Hold: "hold",
}

func (o Op) String() string { return opNames[o] }

// IsUnary says whether o computes each element from the same one of its only argument.
func (o Op) IsUnary() bool { return o >= Negate && o <= Stop || o == Hold }

// IsBinary says whether o computes each element from one of each of its two arguments.
func (o Op) IsBinary() bool { return o >= Add && o <= Greater }

// IsElementwise says whether o computes each element from one of each of its arguments.
func (o Op) IsElementwise() bool { return o.IsUnary() || o.IsBinary() }

// isGather says whether o adds up edges at vertices.
func (o Op) isGather() bool { return o == GatherSum || o == GatherMax }

// Unary computes a unary operator of x; number is the value's Number.
func Unary(o Op, x, number float64) float64 {
	switch o {
	case Negate:
		return -x
	case Relu:
		return math.Max(x, 0)
	case LeakyRelu:
		return x * below(x, number)
	case Elu:
		if x > 0 {
			return x
		}
		return math.Expm1(x)
	case Sigmoid:
		return 1 / (1 + math.Exp(-x))
	case Tanh:
		return math.Tanh(x)
	case Exp:
		return math.Exp(x)
	case Log:
		return math.Log(x)
	case Sqrt:
		return math.Sqrt(x)
	case Softplus:
		return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
	case Abs:
		return math.Abs(x)
	}
	return slope(o, x, number)
}

// slope computes the operators that only gradients use, and Stop.
func slope(o Op, x, number float64) float64 {
	switch o {
	case Positive:
		return below(x, 0)
	case LeakySlope:
		return below(x, number)
	case EluSlope:
		return below(x, math.Exp(x))
	case Sign:
		if x == 0 {
			return 0
		}
		return math.Copysign(1, x)
	}
	return x
}

// below is 1 above 0, and otherwise other.
func below(x, other float64) float64 {
	if x > 0 {
		return 1
	}
	return other
}

// Binary computes a binary operator.
func Binary(o Op, x, y float64) float64 {
	switch o {
	case Add:
		return x + y
	case Subtract:
		return x - y
	case Multiply:
		return x * y
	case Divide:
		if y == 0 {
			return 0
		}
		return x / y
	case Max:
		return math.Max(x, y)
	case Equal:
		return truth(x == y)
	}
	return truth(x > y)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
