package network

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// instruction is one whose operand is known when the slab is.
type instruction struct {
	kernels.Instruction
	of   *buffer         // that At is the address of; nil: none
	mask *dataflow.Value // whose key At is, of each pass
}

// code is an expression that a kernel computes for each row, or edge, and column.
type code struct {
	instructions []instruction
	place        uint64 // in the code of its pass, in bytes
}

// mostInstructions bounds an expression: what is made of the same edge value twice has its code twice.
const mostInstructions = 4096

// operators are those that have a code of their own.
var operators = map[dataflow.Op]kernels.Code{
	dataflow.Negate: kernels.Negate, dataflow.Relu: kernels.Relu, dataflow.LeakyRelu: kernels.LeakyRelu,
	dataflow.Elu: kernels.Elu, dataflow.Sigmoid: kernels.Sigmoid, dataflow.Tanh: kernels.Tanh, dataflow.Exp: kernels.Exp,
	dataflow.Log: kernels.Log, dataflow.Sqrt: kernels.Sqrt, dataflow.Softplus: kernels.Softplus,
	dataflow.Abs: kernels.Abs, dataflow.Positive: kernels.Positive, dataflow.LeakySlope: kernels.LeakySlope,
	dataflow.EluSlope: kernels.EluSlope, dataflow.Sign: kernels.Sign,
	dataflow.Add: kernels.Add, dataflow.Subtract: kernels.Subtract, dataflow.Multiply: kernels.Multiply,
	dataflow.Divide: kernels.Divide, dataflow.Max: kernels.Most, dataflow.Equal: kernels.Equal,
	dataflow.Greater: kernels.Greater,
}

// isElementary says whether v can be a part of an expression, of its arguments at the same row or edge.
func isElementary(v *dataflow.Value) bool {
	switch v.Op {
	case dataflow.Stop, dataflow.Repeat, dataflow.SumParts, dataflow.Spread, dataflow.Join, dataflow.Part:
		return true
	}
	_, known := operators[v.Op]
	return known
}

// writer writes an expression.
type writer struct {
	*compiler
	edges   *edges // whose properties it may read; nil: it is of rows
	code    *code
	depth   int
	deepest int
}

// expression is the code of what computes v of what is stored. Edges are those it is computed for.
func (c *compiler) expression(v *dataflow.Value, of *edges) (*code, error) {
	w := writer{compiler: c, edges: of, code: &code{}}
	write := w.expand
	if w.isRead(v) {
		write = w.value
	}
	if err := write(v); err != nil {
		return nil, err
	}
	w.add(kernels.Instruction{Code: kernels.End})
	if len(w.code.instructions) > mostInstructions {
		return nil, unsupported("%v: an expression of more than %d instructions", v, mostInstructions)
	}
	if w.deepest > kernels.StackDepth {
		return nil, unsupported("%v: an expression that is nested more than %d deep", v, kernels.StackDepth)
	}
	c.codes = append(c.codes, w.code)
	return w.code, nil
}

func unsupported(format string, args ...any) error {
	return plugins.Errorf(plugins.KindUnsupported, format, args...)
}

// isRead says whether v is read from where it is stored, or is a number by itself.
func (w *writer) isRead(v *dataflow.Value) bool {
	switch v.Op {
	case dataflow.Number, dataflow.Mask, dataflow.Property, dataflow.Source, dataflow.Target:
		return true
	}
	return v.Place != dataflow.Edges && w.known[v] != nil || len(v.Args) == 0
}

// add adds an instruction, after which there are so many numbers more on the stack.
func (w *writer) add(i kernels.Instruction) {
	w.code.instructions = append(w.code.instructions, instruction{Instruction: i})
}

func (w *writer) push(by int) {
	w.depth += by
	w.deepest = max(w.deepest, w.depth)
}

// here is the number of the next instruction.
func (w *writer) here() int { return len(w.code.instructions) }

// value puts v on the stack, at the current column of its width.
func (w *writer) value(v *dataflow.Value) error {
	if w.here() > mostInstructions {
		return nil // it is refused
	}
	if !w.isRead(v) {
		return w.expand(v)
	}
	return w.read(v, 1)
}

// read puts what is stored on the stack; the column is one of so many times the width of v.
func (w *writer) read(v *dataflow.Value, times int) (err error) {
	i := instruction{Instruction: kernels.Instruction{A: uint32(times), B: uint32(v.Width)}}
	switch v.Op {
	case dataflow.Number:
		i.Code, i.Number = kernels.Constant, float32(v.Number)
	case dataflow.Mask:
		i.Code, i.mask = kernels.Factor, v
	case dataflow.Property:
		i.Code = kernels.OfEdge
		i.of, err = w.edges.property(v.Name)
	case dataflow.Source, dataflow.Target:
		i.Code = kernels.OfSource
		if v.Op == dataflow.Target {
			i.Code = kernels.OfTarget
		}
		i.of, err = w.endOf(v)
	default:
		i.Code = kernels.OfRow
		if v.Place == dataflow.Parameters && v.Rows == 1 {
			i.Code = kernels.OfOne
		}
		i.of, err = w.matrix(v)
	}
	w.code.instructions = append(w.code.instructions, i)
	w.push(1)
	return err
}

// argument puts x on the stack for a column of a value that is so wide.
func (w *writer) argument(x *dataflow.Value, width int) error {
	times := width / x.Width
	switch {
	case times == 1:
		return w.value(x)
	case w.isRead(x):
		return w.read(x, times)
	}
	return w.elsewhere(kernels.Narrow, uint32(times), x)
}

// elsewhere puts x on the stack at another column.
func (w *writer) elsewhere(how kernels.Code, by uint32, x *dataflow.Value) error {
	w.add(kernels.Instruction{Code: how, A: by})
	w.push(1)
	err := w.value(x)
	w.add(kernels.Instruction{Code: kernels.Back})
	w.push(-1)
	return err
}

// expand computes v.
func (w *writer) expand(v *dataflow.Value) error {
	x := v.Args[0]
	switch v.Op {
	case dataflow.Stop, dataflow.Repeat, dataflow.Spread:
		return w.argument(x, v.Width)
	case dataflow.Part:
		return w.elsewhere(kernels.Move, uint32(v.Number), x)
	case dataflow.Join:
		return w.join(x, v.Args[1])
	case dataflow.SumParts:
		part := uint32(x.Width / v.Width)
		return w.loop(kernels.Parts, x, instruction{Instruction: kernels.Instruction{Code: kernels.PartsNext, A: part}})
	case dataflow.Product, dataflow.ProductTransposed:
		return w.terms(v)
	}
	code, known := operators[v.Op]
	if !known {
		return unsupported("the operator %v at each %v", v.Op, v.Place)
	}
	for _, a := range v.Args {
		if err := w.argument(a, v.Width); err != nil {
			return err
		}
	}
	w.add(kernels.Instruction{Code: code, Number: float32(v.Number)})
	w.push(1 - len(v.Args))
	return nil
}

// join is x up to its width, and then y.
func (w *writer) join(x, y *dataflow.Value) error {
	branch := w.here()
	w.add(kernels.Instruction{Code: kernels.Branch, A: uint32(x.Width)})
	if err := w.value(x); err != nil {
		return err
	}
	w.push(-1)
	jump := w.here()
	w.add(kernels.Instruction{Code: kernels.Jump})
	w.code.instructions[branch].B = uint32(w.here())
	err := w.elsewhere(kernels.Move, -uint32(x.Width), y)
	w.code.instructions[jump].B = uint32(w.here())
	return err
}

// terms is a row of x times a parameter.
func (w *writer) terms(v *dataflow.Value) (err error) {
	x := v.Args[0]
	next := instruction{Instruction: kernels.Instruction{Code: kernels.TermsNext, A: uint32(x.Width),
		Number: float32FromBits(uint32(v.Width))}}
	if v.Op == dataflow.ProductTransposed {
		next.Code = kernels.TermsTransposedNext
	}
	if next.of, err = w.matrix(v.Args[1]); err != nil {
		return err
	}
	return w.loop(kernels.Terms, x, next)
}

// loop adds up x over columns.
func (w *writer) loop(begin kernels.Code, x *dataflow.Value, next instruction) error {
	w.add(kernels.Instruction{Code: begin, A: next.A})
	w.push(2)
	next.B = uint32(w.here())
	err := w.value(x)
	w.code.instructions = append(w.code.instructions, next)
	w.push(-2)
	return err
}

// encode writes the code as kernels read it, with the addresses of a slab and the keys of dropouts.
func (c *code) encode(to []kernels.Instruction, base uint64, dropout dataflow.Dropout) {
	for k, i := range c.instructions {
		to[k] = i.Instruction
		switch {
		case i.of != nil:
			to[k].At = base + i.of.offset()
		case i.mask != nil:
			key := dropout.Key(i.mask)
			to[k].At, to[k].B, to[k].Number = key.From, uint32(key.Limit), float32(key.Kept)
		}
	}
}

// buffers are those that the code reads.
func (c *code) buffers() []*buffer {
	var all []*buffer
	for _, i := range c.instructions {
		if i.of != nil && !slices.Contains(all, i.of) {
			all = append(all, i.of)
		}
	}
	return all
}
