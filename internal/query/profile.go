package query

import (
	"fmt"
	"time"

	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// profiled is a plan with what each operator has done.
func profiled(p *plan.Plan, counters execute.Counters) string {
	return p.Describe(func(op plan.Operator) string {
		done := counters.Operators[op.Number()]
		return fmt.Sprintf("%d rows, %s", done.Rows, done.Time.Round(time.Microsecond))
	})
}
