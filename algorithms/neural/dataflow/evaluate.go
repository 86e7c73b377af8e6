package dataflow

import (
	"fmt"
	"math"
)

// Matrix is rows of numbers, one after the other.
type Matrix struct {
	Width int
	Of    []float64
}

// Row is row i.
func (m Matrix) Row(i int) []float64 { return m.Of[i*m.Width : (i+1)*m.Width] }

// Rows is how many there are.
func (m Matrix) Rows() int { return len(m.Of) / max(m.Width, 1) }

// NewMatrix has rows of zeros.
func NewMatrix(rows, width int) Matrix { return Matrix{width, make([]float64, rows*width)} }

// Data is what a dataflow is computed of.
type Data struct {
	Vertices   int
	Sources    []uint32 // of each edge
	Targets    []uint32
	Properties map[string][]float64 // of each edge
	Inputs     map[string]Matrix    // of each vertex
	Parameters map[string]Matrix
	Dropout    Dropout
	Single     bool // values, and sums on the way, are rounded to single precision
}

// MissingError is an Input, Parameter or Property that the data lacks, or has in another shape.
type MissingError struct {
	Value       string
	Rows, Width int
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not given with %d rows of %d numbers", e.Value, e.Rows, e.Width)
}

// Evaluate computes values one by one, whole, in double precision: the oracle that devices are compared with. Edge
// values are stored too, so it is for small graphs. How far single precision may be off where numbers cancel is seen
// from what Data.Single leaves.
func Evaluate(values []*Value, data *Data) (map[*Value]Matrix, error) {
	known := make(map[*Value]Matrix, len(values))
	for _, v := range values {
		m, err := data.compute(v, known)
		if err != nil {
			return nil, err
		}
		if data.Single {
			m = m.single()
		}
		known[v] = m
	}
	return known, nil
}

// single is the matrix in single precision.
func (m Matrix) single() Matrix {
	rounded := Matrix{m.Width, make([]float64, len(m.Of))}
	for i, x := range m.Of {
		rounded.Of[i] = float64(float32(x))
	}
	return rounded
}

func (d *Data) rows(v *Value) int {
	switch v.Place {
	case Vertices:
		return d.Vertices
	case Edges:
		return len(d.Sources)
	}
	return v.Rows
}

func (d *Data) compute(v *Value, known map[*Value]Matrix) (Matrix, error) {
	args := make([]Matrix, len(v.Args))
	for i, a := range v.Args {
		args[i] = known[a]
	}
	switch v.Op {
	case Input:
		return d.given(v, d.Inputs[v.Name])
	case Parameter:
		return d.given(v, d.Parameters[v.Name])
	case Property:
		return d.given(v, Matrix{1, d.Properties[v.Name]})
	case Mask:
		return d.mask(v), nil
	}
	m := NewMatrix(d.rows(v), v.Width)
	switch {
	case v.Op == Outer:
		outer(m, args[0], args[1])
	case v.Op == SumRows:
		for i := range args[0].Rows() {
			d.add(m.Of, args[0].Row(i))
		}
	case v.Op.isGather():
		d.gather(v, m, args[0])
	default:
		for i := range m.Rows() {
			d.row(v, i, m.Row(i), args)
		}
	}
	return m, nil
}

func (d *Data) given(v *Value, m Matrix) (Matrix, error) {
	if rows := d.rows(v); m.Width != v.Width || len(m.Of) != rows*v.Width {
		return m, &MissingError{fmt.Sprintf("%v %s", v.Op, v.Name), rows, v.Width}
	}
	return m, nil
}

func (d *Data) mask(v *Value) Matrix {
	m := NewMatrix(d.rows(v), v.Width)
	for i := range m.Rows() {
		row := uint64(i)
		if v.Place == Edges {
			row = EdgeRow(uint64(d.Sources[i]), uint64(d.Targets[i]))
		}
		for j := range v.Width {
			m.Row(i)[j] = d.Dropout.Factor(v, row, j)
		}
	}
	return m
}

func outer(m, x, y Matrix) {
	for i := range x.Rows() {
		for j, a := range x.Row(i) {
			for k, b := range y.Row(i) {
				m.Row(j)[k] += a * b
			}
		}
	}
}

func (d *Data) add(sum, x []float64) {
	for j := range sum {
		if sum[j] += x[j]; d.Single {
			sum[j] = float64(float32(sum[j]))
		}
	}
}

func (d *Data) gather(v *Value, m, x Matrix) {
	ends := d.Targets
	if v.End == AtSource {
		ends = d.Sources
	}
	met := make([]bool, d.Vertices)
	for e, end := range ends {
		row := m.Row(int(end))
		switch {
		case v.Op == GatherSum:
			d.add(row, x.Row(e))
		case !met[end]:
			copy(row, x.Row(e))
		default:
			for j := range row {
				row[j] = math.Max(row[j], x.Row(e)[j])
			}
		}
		met[end] = true
	}
}

// row computes row i of a value whose rows do not depend on others.
func (d *Data) row(v *Value, i int, out []float64, args []Matrix) {
	arg := func(k int) []float64 {
		if k < len(args) && v.Args[k].Place == Parameters && args[k].Rows() == 1 {
			return args[k].Row(0)
		}
		return args[k].Row(i)
	}
	switch v.Op {
	case Number:
		out[0] = v.Number
	case Source:
		copy(out, args[0].Row(int(d.Sources[i])))
	case Target:
		copy(out, args[0].Row(int(d.Targets[i])))
	case Product:
		for k, a := range arg(0) {
			for j, b := range args[1].Row(k) {
				out[j] += a * b
			}
		}
	case ProductTransposed:
		for j := range out {
			for k, b := range args[1].Row(j) {
				out[j] += arg(0)[k] * b
			}
		}
	case CrossEntropy:
		out[0] = crossEntropy(arg(0), arg(1)[0])
	case CrossEntropySlope:
		crossEntropySlope(out, arg(0), arg(1)[0])
	case SumParts:
		for j, a := range arg(0) {
			out[j*len(out)/v.Args[0].Width] += a
		}
	case Join:
		copy(out[copy(out, arg(0)):], arg(1))
	case Part:
		copy(out, arg(0)[int(v.Number):])
	default:
		elements(v, out, arg)
	}
}

// elements computes what goes element by element; a narrow row is spread.
func elements(v *Value, out []float64, arg func(int) []float64) {
	at := func(k, j int) float64 { return arg(k)[j*v.Args[k].Width/len(out)] }
	for j := range out {
		switch {
		case v.Op.IsUnary():
			out[j] = Unary(v.Op, at(0, j), v.Number)
		case v.Op.IsBinary():
			out[j] = Binary(v.Op, at(0, j), at(1, j))
		default: // Repeat, Spread
			out[j] = at(0, j)
		}
	}
}

func crossEntropy(logits []float64, class float64) float64 {
	if class < 0 {
		return 0
	}
	most, sum := largest(logits), 0.0
	for _, x := range logits {
		sum += math.Exp(x - most)
	}
	return math.Log(sum) + most - logits[int(class)]
}

func crossEntropySlope(out, logits []float64, class float64) {
	if class < 0 {
		return
	}
	most, sum := largest(logits), 0.0
	for j, x := range logits {
		out[j] = math.Exp(x - most)
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	out[int(class)]--
}

func largest(x []float64) float64 {
	most := math.Inf(-1)
	for _, a := range x {
		most = math.Max(most, a)
	}
	return most
}
