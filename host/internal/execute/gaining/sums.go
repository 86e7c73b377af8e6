package gaining

import (
	"context"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/topological"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
)

// addsUp tells whether a plan adds up what comes, and has no result where that comes round (algorithms.Program.AddsUp).
func addsUp(p *plan.Plan) bool {
	program := p.Task.Program
	return program != nil && program.Diverged != "" && !p.Settling && program.AddsUp()
}

// findSum looks for a cycle that is reached from a vertex with a value, which it has anew in each iteration. A run that
// goes on from a checkpoint has reached more of them, from which the same is reached.
func findSum(ctx context.Context, e *execute.Env, values []float64) (Verdict, error) {
	var some []uint64
	for v, x := range values {
		switch {
		case !(x >= 0):
			return Unknown, nil // sums may cancel each other
		case x > 0:
			some = append(some, uint64(v))
		}
	}
	cycle, why, err := look(ctx, e, "", func(lists *supply.Lists, n uint64) (cycle []uint64, why string, err error) {
		_, cycle, err = topological.Sort(ctx, lists.Of, slices.Values(some), n)
		return cycle, "", err
	})
	if why != "" {
		e.Events.Noticed(fmt.Errorf("whether values grow for ever around a cycle shows once they are more than a double can "+
			"hold: %s", why))
	}
	return verdict(e, cycle, why), err
}
