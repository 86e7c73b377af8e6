package solve

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// form is what a program's expressions say of it, however they are written.
type form struct {
	*algorithms.Program // without the default Apply
	process             shape.Process
	graph               plugins.Graph
}

func formOf(spec *algorithms.Program, graph plugins.Graph) form {
	return form{shape.WithoutDefault(spec), shape.Split(shape.Normal(spec.Process.Checked)), graph}
}

// asynchronous tells whether messages may be applied in any order: only the last state counts then.
func (f form) asynchronous() bool {
	return f.Order == algorithms.Monotone && !f.Exactly && f.MaxIterations == 0
}

// spreads tells whether vertices send when their first column has changed, which is only ever replaced by a
// better one.
func (f form) spreads() bool {
	return f.Activity == algorithms.Changed && f.Norm == algorithms.NoNorm && shape.Improves(f.Program)
}

// bothWays tells whether who has an edge to a vertex is in that vertex's lists, too.
func (f form) bothWays() bool { return !f.graph.Directed || f.Edges == algorithms.BothSides }

func (f form) sendsFirst() bool {
	return f.process.Weighting == shape.Unweighted && f.process.SendsFirst(f.Program)
}

// forest is the solver of programs that send their first column as it is, along edges that lead both ways.
// Bools are left to flood, which never has two values to tell apart.
func (f form) forest() (Solver, bool) {
	return forest{}, f.asynchronous() && f.spreads() && f.bothWays() && f.sendsFirst() &&
		f.State[0].Type != algorithms.Bool
}

// nearFar is the solver of least sums of weights along paths.
func (f form) nearFar() (Solver, bool) {
	ok := f.asynchronous() && f.spreads() && f.process.Lengthens(f.Program)
	return nearFar{column: slices.Index(f.EdgeColumns, f.process.EdgeColumn)}, ok
}

// sums is the solver of programs that add up doubles, of which an edge changes no more than its weight does.
func (f form) sums() (Solver, bool) {
	ok := f.Reduce == algorithms.Sum && shape.Type(f.Process.Checked) == algorithms.Float && f.process.Fused
	return sums{edges: 2 * f.graph.Edges}, ok
}

// flood is the solver of programs whose state spreads like water: all who send first hold one value, everybody
// else the identity, and a message is what its sender holds, or that and a constant, which is no better.
// Then whoever was reached cannot be improved, and an iteration is a level.
func (f form) flood() (Solver, bool) {
	start, even := f.start()
	step, wanes := f.step()
	if !f.spreads() || !even || !wanes || !modest(start, step) {
		return nil, false
	}
	return flood{start: start, step: step, bothWays: f.bothWays(), asynchronous: f.asynchronous()}, true
}

// start is the value of all who send first, if the expression of Init says that there is but one.
func (f form) start() (value, bool) {
	first := f.State[0]
	if first.Type == algorithms.Bool {
		return boolValue(!f.Reduce.BoolIdentity()), f.Reduce == algorithms.And || f.Reduce == algorithms.Or
	}
	init := shape.Normal(first.Init.Checked)
	call := init.GetExpr().GetCallExpr()
	if call.GetFunction() != "_?_:_" {
		return value{}, false
	}
	x, constantA := constant(init, call.GetArgs()[1])
	y, constantB := constant(init, call.GetArgs()[2])
	nothing := identity(f.Reduce, first.Type)
	if x == nothing {
		x, y = y, x
	}
	return x, constantA && constantB && y == nothing
}

// step is what a message is more than what its sender holds, if that makes it no better.
func (f form) step() (value, bool) {
	if f.sendsFirst() {
		return value{Type: kind(f.State[0].Type)}, true
	}
	m := f.process.Message
	args := m.GetExpr().GetCallExpr().GetArgs()
	if f.process.Weighting != shape.Unweighted || m.GetExpr().GetCallExpr().GetFunction() != "_+_" {
		return value{}, false
	}
	i := slices.IndexFunc(args, func(e *exprpb.Expr) bool { return vector.Name(m, e) == "src."+f.State[0].Name })
	if i < 0 {
		return value{}, false
	}
	by, ok := constant(m, args[1-i])
	return by, ok && (f.Reduce == algorithms.Min && by.number() >= 0 || f.Reduce == algorithms.Max && by.number() <= 0)
}

// farthest is how far from zero an integer may be that as many additions of less than longest as there can be
// vertices do not make overflow; farthestFloat and longestFloat are the same of doubles.
const (
	farthest      = 1 << 62
	longest       = 1 << 20
	farthestFloat = 1e300
	longestFloat  = 1e280
)

// modest tells whether no number of steps from start gets to the identity, or from -0 to 0.
func modest(start, step value) bool {
	switch start.Type {
	case algorithms.Float:
		x, by := start.float(), step.float()
		stays := by == 0 && x == x && start != floatValue(math.Copysign(0, -1))
		return stays || math.Abs(x) < farthestFloat && by != 0 && math.Abs(by) < longestFloat
	case algorithms.Int:
		x, by := int64(start.Bits), int64(step.Bits)
		return -farthest < x && x < farthest && -longest < by && by < longest
	}
	return true
}
