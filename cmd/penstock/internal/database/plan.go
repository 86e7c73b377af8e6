package database

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// PlanText is where Neo4j has the plan as people read it, too.
const PlanText = "string-representation"

// planOf is an operator with those below it, and what they have done if that was counted.
func planOf(op plan.Operator, summary query.Summary) *backend.Plan {
	p := &backend.Plan{Operator: op.Title(), Arguments: []value.Entry{{Key: "EstimatedRows",
		Value: value.OfFloat(op.Rows())}}}
	if detail := op.Detail(); detail != "" {
		p.Arguments = append(p.Arguments, value.Entry{Key: "Details", Value: value.OfString(detail)})
	}
	if done := summary.Counters.Operators; op.Number() < len(done) {
		c := done[op.Number()]
		p.Profiled, p.Rows = true, c.Rows
		p.Arguments = append(p.Arguments, value.Entry{Key: "Time", Value: value.OfInt(c.Time.Nanoseconds())})
	}
	for _, below := range append([]plan.Operator{op.Source()}, op.Inner()...) {
		if below != nil {
			p.Children = append(p.Children, planOf(below, summary))
		}
	}
	return p
}
