package lower

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// Lowered is a program as the kernels need it.
type Lowered struct {
	PTX        string            // the four functions
	Constants  []uint64          // for kernels.Program.Constants
	AccType    algorithms.Type   // of a message: Float, Int or Bool
	StateTypes []algorithms.Type // of each state column: Float, Int or Bool
}

// Lower lowers a checked program. What there is no PTX for is an error of plugins.KindUnsupported that
// names it.
func Lower(p *algorithms.Program) (*Lowered, error) {
	if columns := len(p.State) + len(p.Properties); columns > kernels.MaxColumns-kernels.ColumnState {
		return nil, unsupported("%d state columns and properties, more than %d,", columns,
			kernels.MaxColumns-kernels.ColumnState)
	}
	if len(p.EdgeColumns) > kernels.MaxEdgeColumns {
		return nil, unsupported("%d edge properties, more than %d,", len(p.EdgeColumns), kernels.MaxEdgeColumns)
	}
	l := &Lowered{Constants: Constants(p), AccType: shape.Type(p.Process.Checked)}
	for _, s := range p.State {
		l.StateTypes = append(l.StateTypes, plain(s.Type))
	}
	for _, lower := range []func(*algorithms.Program) (*function, error){lowerInit, lowerApply, lowerProcess,
		lowerAggregate} {
		f, err := lower(p)
		if err != nil {
			return nil, err
		}
		l.PTX += f.text()
	}
	return l, nil
}

// Constants are the values of p's constants, all that differs between p and p.With others.
func Constants(p *algorithms.Program) []uint64 {
	values := make([]uint64, len(p.Constants))
	for i, c := range p.Constants {
		values[i] = uint64(c.Int)
		if c.Type == algorithms.Float {
			values[i] = math.Float64bits(c.Float)
		}
	}
	return values
}

func lowerInit(p *algorithms.Program) (*function, error) {
	f := newFunction("penstock_init", "program", "v")
	for i, s := range p.State {
		value, err := lowerExpr(f, p, s.Init)
		if err != nil {
			return nil, err
		}
		f.setState(i, value)
	}
	return f, nil
}

func lowerApply(p *algorithms.Program) (*function, error) {
	f := newFunction("penstock_apply", "program", "v")
	for i, s := range p.State {
		var value register
		var err error
		switch {
		case s.Apply.Source != "":
			value, err = lowerExpr(f, p, s.Apply)
		case i == 0:
			value, err = lowerDefaultApply(f, p)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		f.setState(i, value)
	}
	return f, nil
}

// combining are the overloads that do what a Reduce does.
var combining = map[algorithms.Type]map[algorithms.Reduce]string{
	algorithms.Float: {algorithms.Sum: "add_double", algorithms.Prod: "multiply_double", algorithms.Min: "min_double",
		algorithms.Max: "max_double"},
	algorithms.Int: {algorithms.Sum: "add_int64", algorithms.Prod: "multiply_int64", algorithms.Min: "min_int64",
		algorithms.Max: "max_int64"},
	algorithms.Bool: {algorithms.And: "logical_and", algorithms.Or: "logical_or"},
}

// lowerDefaultApply is Reduce(self, acc) of the first column.
func lowerDefaultApply(f *function, p *algorithms.Program) (register, error) {
	c := compiler{function: f, program: p}
	self, err := c.variable("self." + p.State[0].Name)
	if err != nil {
		return register{}, err
	}
	acc, err := c.variable("acc")
	if err != nil {
		return register{}, err
	}
	return c.operate(combining[shape.Type(p.Process.Checked)][p.Reduce], self, acc)
}

func lowerProcess(p *algorithms.Program) (*function, error) {
	f := newFunction("penstock_process", "program", "chunk", "source", "target", "edge")
	message, err := lowerExpr(f, p, p.Process)
	if err != nil {
		return nil, err
	}
	f.setResult(message)
	return f, nil
}

func lowerAggregate(p *algorithms.Program) (*function, error) {
	f := newFunction("penstock_aggregate", "program", "k", "v")
	if len(p.Aggregates) == 0 {
		f.setResult(f.literal(0))
		return f, nil
	}
	var result register
	for i, a := range p.Aggregates {
		value, err := lowerExpr(f, p, a.Expr)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			value = f.choose(f.truth("setp.eq.s64", f.parameter("k"), f.literal(uint64(i))), value, result)
		}
		result = value
	}
	f.setResult(result)
	return f, nil
}

func unsupported(format string, args ...any) error {
	return plugins.Errorf(plugins.KindUnsupported, format+" cannot be lowered to PTX", args...)
}
