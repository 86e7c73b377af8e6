package model

import (
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Size is what a Plan is made for.
type Size struct {
	N       int // vertices of the matrix
	Lanes   int // sets of columns that Send gets at once; 0: one
	Threads int // that Send may use; 0: one
	// Facts are those of the provider; the zero value is the processor.
	Facts ort.Facts
	// Paper: by the operators of the paper as they are, for comparison, whatever would be faster. Messages that these
	// do not have are computed as without it: Plan.Kernel names the form.
	Paper bool
}

// Plan says how the messages of a program will be computed.
type Plan struct {
	Kernel string  // for the report
	Inputs []Input // what Send reads of vertices
	Bytes  uint64  // the most that Build and Send take, if no two edges lead from one vertex to another

	program *algorithms.Program
	shape   shape.Process
	accType algorithms.Type
	size    Size
	form    form
}

// Input is a column of vertices, by the name that Process gives it: src.x is that of who sends, and
// dst.x that of who receives.
type Input struct {
	Name string
	Type algorithms.Type
}

// form is one of the ways of doc.go.
type form interface {
	name() string
	bytes(s Size) uint64
	build(b *building) (sender, error)
}

// For plans the checked program p. It fails with a *plugins.Error of KindUnsupported where an operator
// is lacking.
func For(p *algorithms.Program, s Size) (*Plan, error) {
	s.Lanes, s.Threads = max(s.Lanes, 1), max(s.Threads, 1)
	if s.Facts.Provider == "" {
		s.Facts = ort.CPU.Facts()
	}
	plan := &Plan{program: p, shape: shape.Split(p.Process.Checked), accType: shape.Type(p.Process.Checked), size: s}
	if err := plan.choose(); err != nil {
		return nil, err
	}
	plan.Kernel = plan.form.name()
	plan.Bytes = plan.form.bytes(s)
	return plan, nil
}

// choose takes the form of the fewest bytes.
func (p *Plan) choose() error {
	p.readInputs()
	switch {
	case p.size.Paper && p.shape.Fused || p.size.Facts.Float != onnx.Float64:
		return p.choosePaper()
	case p.counts() && p.labels():
		p.form = labels{p}
	case p.counts():
		p.form = counting{p}
	case p.shape.Weighting == shape.Times && p.program.Reduce == algorithms.Sum:
		p.form = product{p}
	case p.shape.Fused && tropics[tropic{p.shape.Weighting, p.program.Reduce}] != nil:
		p.form = tropical{p}
	default:
		return p.chooseExpression()
	}
	return nil
}

// readInputs finds out which columns of vertices Process takes.
func (p *Plan) readInputs() {
	found := map[string]algorithms.Type{}
	variables(p.program.Process.Checked, p.program.Process.Checked.GetExpr(), found)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		p.Inputs = append(p.Inputs, Input{name, found[name]})
	}
}

// counts tells whether edges have no weight, and messages meet in a way that whole numbers can tell.
func (p *Plan) counts() bool {
	if !p.shape.Fused || p.shape.Weighting != shape.Unweighted {
		return false
	}
	switch p.program.Reduce {
	case algorithms.Sum, algorithms.And, algorithms.Or:
		return true
	case algorithms.Min, algorithms.Max:
		return p.Loose()
	}
	return false
}

// Loose tells whether messages may come later than they are sent, and the best first: then a lane may
// have Left.
func (p *Plan) Loose() bool {
	program := p.program
	return program.Order == algorithms.Monotone && program.Activity == algorithms.Changed && !program.Exactly &&
		program.MaxIterations == 0 && program.State[0].Apply.Source == ""
}

// Largest is the largest N for which Bytes is at most so many.
func (p *Plan) Largest(bytes uint64) int {
	low, high := 0, 1<<24
	for low < high {
		middle := (low + high + 1) / 2
		size := p.size
		size.N = middle
		if p.form.bytes(size) <= bytes {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

func unsupported(format string, args ...any) error {
	return plugins.Errorf(plugins.KindUnsupported, format, args...)
}
