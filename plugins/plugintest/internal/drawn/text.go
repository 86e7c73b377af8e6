package drawn

import (
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
)

// Text is p as a reader wants it.
func Text(p *algorithms.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v over %d of %s\nactivity %d, norm %d, tolerance %v, %d iterations, exactly %v\n",
		p.Reduce, p.Edges, p.Process.Source, p.Activity, p.Norm, p.Tolerance, p.MaxIterations, p.Exactly)
	for _, s := range p.State {
		fmt.Fprintf(&b, "%v %s = %s; then %s\n", s.Type, s.Name, s.Init.Source, s.Apply.Source)
	}
	for _, a := range p.Aggregates {
		fmt.Fprintf(&b, "agg.%s = %s\n", a.Name, a.Expr.Source)
	}
	return b.String()
}
