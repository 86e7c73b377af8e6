package shape

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Weighting says what an edge does to the message of its source.
type Weighting uint8

const (
	Unweighted Weighting = iota
	Plus                 // message + edge.w
	Times
	Least
	Largest
)

var weightings = map[string]Weighting{"_+_": Plus, "_*_": Times, "min": Least, "max": Largest}

// Process is a Process expression taken apart: a message computed from the source
// alone, and what the edge does to it. Every operator pair of the programs of
// algorithms has this form; where Fused is false, the expression must be evaluated per edge.
type Process struct {
	Fused      bool
	Message    *exprpb.CheckedExpr
	Weighting  Weighting
	EdgeColumn string
}

// Split recognizes message and message ∘ edge.w, either way round.
func Split(checked *exprpb.CheckedExpr) Process {
	root := checked.GetExpr()
	if FromSource(checked, root) {
		return Process{Fused: true, Message: checked}
	}
	call := root.GetCallExpr()
	w, ok := weightings[call.GetFunction()]
	if !ok || len(call.GetArgs()) != 2 {
		return Process{}
	}
	a, b := call.GetArgs()[0], call.GetArgs()[1]
	if edgeColumn(checked, a) != "" {
		a, b = b, a
	}
	column := edgeColumn(checked, b)
	if column == "" || !FromSource(checked, a) {
		return Process{}
	}
	return Process{Fused: true, Message: Part(checked, a), Weighting: w, EdgeColumn: column}
}

// edgeColumn is w when e is edge.w, or "".
func edgeColumn(checked *exprpb.CheckedExpr, e *exprpb.Expr) string {
	column, ok := strings.CutPrefix(vector.Name(checked, e), "edge.")
	if !ok {
		return ""
	}
	return column
}

// FromSource tells whether e depends neither on the edge nor on its target.
func FromSource(checked *exprpb.CheckedExpr, e *exprpb.Expr) bool {
	if name := vector.Name(checked, e); name != "" {
		return !strings.HasPrefix(name, "edge.") && !strings.HasPrefix(name, "dst.")
	}
	return !slices.ContainsFunc(e.GetCallExpr().GetArgs(), func(arg *exprpb.Expr) bool {
		return !FromSource(checked, arg)
	})
}

// SendsFirst tells whether the message is spec's first column, as it is.
func (p Process) SendsFirst(spec *algorithms.Program) bool {
	return p.Fused && vector.Name(p.Message, p.Message.GetExpr()) == "src."+spec.State[0].Name
}

// Lengthens tells whether what arrives is its source's state and a weight added up, of which the
// least counts: where no weight is below 0, no cycle makes it better.
func (p Process) Lengthens(spec *algorithms.Program) bool {
	return p.SendsFirst(spec) && p.Weighting == Plus && spec.Reduce == algorithms.Min
}
