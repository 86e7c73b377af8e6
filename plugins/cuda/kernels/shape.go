package kernels

import (
	"math"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// form is what Process does with an edge, as message.cuh has it.
type form struct {
	name    string
	neutral float64 // a weight that leaves every message as it is
}

var (
	asIs      = form{name: "as_is"}
	processed = form{name: "processed"}
	weighted  = map[string]form{
		"_+_": {"plus", math.Copysign(0, -1)},
		"_*_": {"times", 1},
		"min": {"at_most", math.Inf(1)},
		"max": {"at_least", math.Inf(-1)},
	}
)

// shape is how a program's messages are made.
type shape struct {
	form
	column int // of the weights, among the program's EdgeColumns
	state  int // the state column that is sent as it is but for the edge; -1: none is
}

// shapeOf recognises messages that their source alone decides, and those that + or * or min or max of them and an
// edge column are, either way round. All others are processed an edge at a time.
func shapeOf(p *algorithms.Program) shape {
	checked := p.Process.Checked
	root := checked.GetExpr()
	if fromSource(checked, root) {
		return shape{asIs, 0, sentState(p, root)}
	}
	call := root.GetCallExpr()
	f, ok := weighted[call.GetFunction()]
	if !ok || len(call.GetArgs()) != 2 || p.Reduce == algorithms.Prod || typeOf(checked) != algorithms.Float {
		return shape{form: processed, state: -1}
	}
	message, weight := call.GetArgs()[0], call.GetArgs()[1]
	if edgeColumn(p, message) >= 0 {
		message, weight = weight, message
	}
	column := edgeColumn(p, weight)
	if column < 0 || !fromSource(checked, message) {
		return shape{form: processed, state: -1}
	}
	return shape{f, column, sentState(p, message)}
}

// edgeColumn is which edge column e is, or -1.
func edgeColumn(p *algorithms.Program, e *exprpb.Expr) int {
	name, ok := strings.CutPrefix(vector.Name(p.Process.Checked, e), "edge.")
	if !ok {
		return -1
	}
	return slices.Index(p.EdgeColumns, name)
}

// sentState is which state column of the source e is, if it takes 8 bytes, or -1.
func sentState(p *algorithms.Program, e *exprpb.Expr) int {
	name := vector.Name(p.Process.Checked, e)
	return slices.IndexFunc(p.State, func(s algorithms.State) bool {
		return name == "src."+s.Name && s.Type != algorithms.Bool
	})
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

// typeOf is the type of a checked expression.
func typeOf(checked *exprpb.CheckedExpr) algorithms.Type {
	switch checked.GetTypeMap()[checked.GetExpr().GetId()].GetPrimitive() {
	case exprpb.Type_DOUBLE:
		return algorithms.Float
	case exprpb.Type_BOOL:
		return algorithms.Bool
	}
	return algorithms.Int
}

// pulls tells whether every message counts, and their order for a last bit: rows then receive. The others are
// exact in any order, and rows send.
func pulls(p *algorithms.Program) bool {
	return p.Reduce == algorithms.Sum || p.Reduce == algorithms.Prod
}

// improves tells whether Apply only ever replaces the first column by something better.
func improves(p *algorithms.Program) bool {
	return !pulls(p) && !slices.ContainsFunc(p.State, func(s algorithms.State) bool { return s.Apply.Source != "" })
}
