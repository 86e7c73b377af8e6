package compile

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Steps is by how much edges make their senders' values worse, as far as that is known.
type Steps struct {
	Known bool
	By    *vector.Program // at least, per edge; nil: no edge makes a value better
}

// newSteps goes by a process that is normal.
func newSteps(p *algorithms.Program, s evaluation.Scope, process *exprpb.CheckedExpr) (steps Steps, err error) {
	spec := *p
	spec.Process.Checked = process
	by, known := spec.Step()
	if steps.Known = known; by != nil {
		steps.By, err = vector.Compile(s.Scope, by)
	}
	return steps, shape.Unsupported(err)
}
