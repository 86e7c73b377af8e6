package cpu

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// weighting says what an edge does to the message of its source.
type weighting uint8

const (
	unweighted weighting = iota
	plusWeight           // message + edge.w
	timesWeight
	minWeight
	maxWeight
)

var weightings = map[string]weighting{"_+_": plusWeight, "_*_": timesWeight, "min": minWeight, "max": maxWeight}

var weightingNames = [...]string{"", " + edge", " * edge", " min edge", " max edge"}

// process is a Process expression taken apart: a message computed from the source
// alone, and what the edge does to it. Every operator pair of the programs of
// algorithms has this form; where fused is false, expression must be evaluated per edge.
type process struct {
	fused      bool
	message    *exprpb.CheckedExpr
	weighting  weighting
	edgeColumn string
}

// split recognises message and message ∘ edge.w, either way round.
func split(checked *exprpb.CheckedExpr) process {
	root := checked.GetExpr()
	if fromSource(checked, root) {
		return process{fused: true, message: checked}
	}
	call := root.GetCallExpr()
	w, ok := weightings[call.GetFunction()]
	if !ok || len(call.GetArgs()) != 2 {
		return process{}
	}
	a, b := call.GetArgs()[0], call.GetArgs()[1]
	if edgeColumn(checked, a) != "" {
		a, b = b, a
	}
	column := edgeColumn(checked, b)
	if column == "" || !fromSource(checked, a) {
		return process{}
	}
	return process{fused: true, message: partOf(checked, a), weighting: w, edgeColumn: column}
}

// edgeColumn is w when e is edge.w, or "".
func edgeColumn(checked *exprpb.CheckedExpr, e *exprpb.Expr) string {
	column, ok := strings.CutPrefix(vector.Name(checked, e), "edge.")
	if !ok {
		return ""
	}
	return column
}

// fromSource tells whether e depends neither on the edge nor on its target.
func fromSource(checked *exprpb.CheckedExpr, e *exprpb.Expr) bool {
	if name := vector.Name(checked, e); name != "" {
		return !strings.HasPrefix(name, "edge.") && !strings.HasPrefix(name, "dst.")
	}
	return !slices.ContainsFunc(e.GetCallExpr().GetArgs(), func(arg *exprpb.Expr) bool {
		return !fromSource(checked, arg)
	})
}

// sendsFirst tells whether the message is the first column, as it is.
func (p *program) sendsFirst() bool {
	m := p.process.message
	return p.process.fused && vector.Name(m, m.GetExpr()) == "src."+p.spec.State[0].Name
}

// accumulates tells whether every message counts, and their order for a last bit. The
// others are idempotent and exact in any order.
func accumulates(r algorithms.Reduce) bool { return r == algorithms.Sum || r == algorithms.Prod }

// combining are the functions of CEL that do what a Reduce does.
var combining = map[algorithms.Reduce]string{algorithms.Sum: "_+_", algorithms.Prod: "_*_", algorithms.Min: "min",
	algorithms.Max: "max", algorithms.And: "_&&_", algorithms.Or: "_||_"}

// defaultApply is what the first column does without an Apply: combine itself with acc.
func defaultApply(p *algorithms.Program) *exprpb.CheckedExpr {
	return &exprpb.CheckedExpr{Expr: called(combining[p.Reduce], named("self."+p.State[0].Name), named("acc"))}
}

// withoutDefault is p without an Apply of the first column that says, in whatever words,
// what happens without one.
func withoutDefault(p *algorithms.Program) *algorithms.Program {
	first := p.State[0]
	if first.Apply.Source == "" || !combines(p, normal(first.Apply.Checked)) {
		return p
	}
	shorter := *p
	shorter.State = slices.Clone(p.State)
	shorter.State[0].Apply = algorithms.Expr{}
	return &shorter
}

// combines tells whether apply is p's reduction of the first column and acc.
func combines(p *algorithms.Program, apply *exprpb.CheckedExpr) bool {
	call := apply.GetExpr().GetCallExpr()
	if call.GetFunction() != combining[p.Reduce] || len(call.GetArgs()) != 2 {
		return false
	}
	a, b := vector.Name(apply, call.GetArgs()[0]), vector.Name(apply, call.GetArgs()[1])
	self := "self." + p.State[0].Name
	return a == self && b == "acc" || a == "acc" && b == self
}
