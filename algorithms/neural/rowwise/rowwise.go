package rowwise

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Block is memory for a dataflow over so many rows at most. One goroutine uses it.
type Block struct {
	most    int
	steps   []step
	numbers map[*dataflow.Value][]float64
	scratch [2][]float64
}

// step is a value with its memory and its arguments.
type step struct {
	v    *dataflow.Value
	out  []float64
	args []operand
}

// operand is rows of an argument; one says that it has a single row, for all.
type operand struct {
	numbers []float64
	width   int
	one     bool
}

func (o operand) row(i int) []float64 {
	if o.one {
		return o.numbers
	}
	return o.numbers[i*o.width : (i+1)*o.width]
}

// UnsupportedError is an operator that looks at other rows.
type UnsupportedError struct{ Op dataflow.Op }

func (e *UnsupportedError) Error() string { return fmt.Sprintf("%v looks at more than one row", e.Op) }

// New makes memory for values, arguments before what is made of them, of up to most rows.
//
// Errors: *UnsupportedError.
func New(values []*dataflow.Value, most int) (*Block, error) {
	b := &Block{most: most, numbers: make(map[*dataflow.Value][]float64, len(values))}
	wide := 1
	for _, v := range values {
		wide = max(wide, v.Width)
		b.numbers[v] = make([]float64, b.rows(v, most)*v.Width)
		switch v.Op {
		case dataflow.Input, dataflow.Parameter:
			continue
		case dataflow.Number:
			b.numbers[v][0] = v.Number
			continue
		case dataflow.Property, dataflow.Source, dataflow.Target, dataflow.GatherSum, dataflow.GatherMax, dataflow.Mask,
			dataflow.CrossEntropy, dataflow.CrossEntropySlope:
			return nil, &UnsupportedError{v.Op}
		}
		s := step{v: v, out: b.numbers[v]}
		for _, a := range v.Args {
			s.args = append(s.args, operand{b.numbers[a], a.Width, a.Place == dataflow.Parameters && a.Rows == 1})
		}
		b.steps = append(b.steps, s)
	}
	b.scratch = [2][]float64{make([]float64, wide), make([]float64, wide)}
	return b, nil
}

// Of is the numbers of a value: of inputs and parameters, to be filled before Run.
func (b *Block) Of(v *dataflow.Value) []float64 { return b.numbers[v] }

func (b *Block) rows(v *dataflow.Value, rows int) int {
	if v.Place == dataflow.Parameters {
		return v.Rows
	}
	return rows
}

// Run computes all values of the first rows.
func (b *Block) Run(rows int) {
	for i := range b.steps {
		b.step(&b.steps[i], rows)
	}
}

func (b *Block) step(s *step, rows int) {
	n := b.rows(s.v, rows)
	switch op := s.v.Op; {
	case op == dataflow.SumRows, op == dataflow.Outer:
		clear(s.out)
		of := b.rows(s.v.Args[0], rows)
		if op == dataflow.SumRows {
			sumRows(s, of)
		} else {
			outer(s, of)
		}
	case op.IsUnary():
		for i := range n {
			unary(s.v, s.out[i*s.v.Width:(i+1)*s.v.Width], s.args[0].row(i))
		}
	case op.IsBinary():
		b.binary(s, n)
	default:
		for i := range n {
			row(s, i, s.out[i*s.v.Width:(i+1)*s.v.Width])
		}
	}
}

func sumRows(s *step, rows int) {
	for i := range rows {
		for j, x := range s.args[0].row(i) {
			s.out[j] += x
		}
	}
}

func outer(s *step, rows int) {
	for i := range rows {
		y := s.args[1].row(i)
		for j, a := range s.args[0].row(i) {
			to := s.out[j*len(y) : (j+1)*len(y)]
			for k, b := range y {
				to[k] += a * b
			}
		}
	}
}

func unary(v *dataflow.Value, out, x []float64) {
	for j := range out {
		out[j] = dataflow.Unary(v.Op, x[j], v.Number)
	}
}

// binary computes an operator of two arguments; the narrower is spread.
func (b *Block) binary(s *step, n int) {
	w := s.v.Width
	x, y := s.args[0], s.args[1]
	if x.width == w && y.width == w && !x.one && !y.one { // as one long row
		elements(s.v.Op, s.out[:n*w], x.numbers, y.numbers)
		return
	}
	for i := range n {
		elements(s.v.Op, s.out[i*w:(i+1)*w], spread(x.row(i), b.scratch[0][:w]), spread(y.row(i), b.scratch[1][:w]))
	}
}

// spread repeats each number of x so that it is as wide as to, whose memory it may use.
func spread(x, to []float64) []float64 {
	if len(x) == len(to) {
		return x
	}
	each := len(to) / len(x)
	for i, a := range x {
		part := to[i*each : (i+1)*each]
		for j := range part {
			part[j] = a
		}
	}
	return to
}

func elements(op dataflow.Op, out, x, y []float64) {
	x, y = x[:len(out)], y[:len(out)]
	switch op {
	case dataflow.Add:
		for j := range out {
			out[j] = x[j] + y[j]
		}
	case dataflow.Subtract:
		for j := range out {
			out[j] = x[j] - y[j]
		}
	case dataflow.Multiply:
		for j := range out {
			out[j] = x[j] * y[j]
		}
	case dataflow.Max:
		for j := range out {
			out[j] = math.Max(x[j], y[j])
		}
	default:
		for j := range out {
			out[j] = dataflow.Binary(op, x[j], y[j])
		}
	}
}

// row computes row i of the other operators.
func row(s *step, i int, out []float64) {
	x := s.args[0].row(i)
	switch s.v.Op {
	case dataflow.Repeat:
		copy(out, x)
	case dataflow.Spread:
		spread(x, out)
		if len(x) == len(out) {
			copy(out, x)
		}
	case dataflow.SumParts:
		each := len(x) / len(out)
		for j := range out {
			sum := 0.0
			for _, a := range x[j*each : (j+1)*each] {
				sum += a
			}
			out[j] = sum
		}
	case dataflow.Join:
		copy(out[copy(out, x):], s.args[1].row(i))
	case dataflow.Part:
		copy(out, x[int(s.v.Number):])
	case dataflow.Product:
		clear(out)
		for k, a := range x {
			p := s.args[1].numbers[k*len(out) : (k+1)*len(out)]
			for j, b := range p {
				out[j] += a * b
			}
		}
	case dataflow.ProductTransposed:
		for j := range out {
			sum := 0.0
			for k, b := range s.args[1].numbers[j*len(x) : (j+1)*len(x)] {
				sum += x[k] * b
			}
			out[j] = sum
		}
	}
}
