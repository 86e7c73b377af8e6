package compile

import (
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// A sum whose messages are single(…), numbers of single precision, keeps them as such:
// those who gather read half the bytes, and find twice as many in a cache.

// SendsSingles tells whether p does.
func (p *Code) SendsSingles() bool {
	_, single := withoutSingle(p.Process.Message)
	return p.Process.Fused && p.Selection == nil && p.Process.Weighting == shape.Unweighted && p.sendsSums() && single
}

// withoutSingle is x of single(x).
func withoutSingle(message *exprpb.CheckedExpr) (x *exprpb.CheckedExpr, single bool) {
	if call := message.GetExpr().GetCallExpr(); call.GetFunction() == "single" {
		return shape.Part(message, call.GetArgs()[0]), true
	}
	return message, false
}

// Narrow sets singles to values.
func Narrow(singles []float32, values []float64) {
	values = values[:len(singles)]
	for i := range singles {
		singles[i] = float32(values[i])
	}
}
