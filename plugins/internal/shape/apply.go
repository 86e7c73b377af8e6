package shape

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// combining are the functions of CEL that do what a Reduce does.
var combining = map[algorithms.Reduce]string{algorithms.Sum: "_+_", algorithms.Prod: "_*_", algorithms.Min: "min",
	algorithms.Max: "max", algorithms.And: "_&&_", algorithms.Or: "_||_"}

// DefaultApply is what the first column does without an Apply: combine itself with acc.
func DefaultApply(p *algorithms.Program) *exprpb.CheckedExpr {
	return &exprpb.CheckedExpr{Expr: Called(combining[p.Reduce], Named("self."+p.State[0].Name), Named("acc"))}
}

// WithoutDefault is p without an Apply of the first column that says, in whatever words,
// what happens without one.
func WithoutDefault(p *algorithms.Program) *algorithms.Program {
	first := p.State[0]
	if first.Apply.Source == "" || !combines(p, Normal(first.Apply.Checked)) {
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

// Accumulates tells whether every message counts, and their order for a last bit. The
// others are idempotent and exact in any order.
func Accumulates(r algorithms.Reduce) bool { return r == algorithms.Sum || r == algorithms.Prod }

// Improves tells whether p, WithoutDefault, only ever replaces its first column by a better value.
func Improves(p *algorithms.Program) bool {
	applied := func(s algorithms.State) bool { return s.Apply.Source != "" }
	return !Accumulates(p.Reduce) && !slices.ContainsFunc(p.State, applied)
}
