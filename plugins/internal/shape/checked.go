package shape

import (
	"errors"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/vector"
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

// Unsupported gives an error of vector.Compile its kind: an operator that has no loop is not supported.
func Unsupported(err error) error {
	var lacking *vector.UnsupportedError
	if errors.As(err, &lacking) {
		return plugins.Errorf(plugins.KindUnsupported, "%w", err)
	}
	return err
}
