package shape

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// Checked refuses a program that algorithms.Check has not seen, or would not let pass.
func Checked(p *algorithms.Program) error {
	if len(p.State) == 0 {
		return plugins.Errorf(plugins.KindInvalid, "program %q has no state", p.Name)
	}
	exprs := []algorithms.Expr{p.Process}
	for _, s := range p.State {
		exprs = append(exprs, s.Init)
		if s.Apply.Source != "" {
			exprs = append(exprs, s.Apply)
		}
	}
	for _, a := range p.Aggregates {
		exprs = append(exprs, a.Expr)
	}
	for _, e := range exprs {
		if e.Checked == nil {
			return plugins.Errorf(plugins.KindInvalid, "expression %q has not been checked", e.Source)
		}
	}
	if t := Type(p.Process.Checked); !p.Reduce.Suits(t) {
		return plugins.Errorf(plugins.KindInvalid, "reduce %v does not combine messages of type %v", p.Reduce, t)
	}
	return nil
}
