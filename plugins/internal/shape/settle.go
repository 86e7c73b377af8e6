package shape

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// OnlyLastCounts tells whether iterations are a device's own affair: p runs until nobody sends, in whatever order.
func OnlyLastCounts(p *algorithms.Program) bool {
	return p.Order == algorithms.Monotone && p.Activity == algorithms.Changed && p.Norm == algorithms.NoNorm &&
		!p.Exactly && p.MaxIterations == 0
}

// Settles tells why parts of p, WithoutDefault, cannot be brought to local convergence by a device that may
// have messages come twice, in any order.
func Settles(p *algorithms.Program) error {
	var reason string
	switch {
	case p.Order != algorithms.Monotone:
		reason = "a message that comes twice would count twice"
	case !OnlyLastCounts(p):
		reason = "more than its last state counts"
	case !Improves(p):
		reason = "it has an Apply of its own"
	case p.Diverged != "" && !Split(Normal(p.Process.Checked)).Lengthens(p):
		reason = "it would not be noticed that " + p.Diverged
	default:
		return nil
	}
	return plugins.Errorf(plugins.KindUnsupported, "parts of program %q cannot settle by themselves: %s", p.Name, reason)
}

// SettlesBy tells why p, which can diverge, may go on settling for ever with an edge that makes a value worse by so
// much, at least.
func SettlesBy(p *algorithms.Program, step float64) error {
	if step >= 0 {
		return nil
	}
	return plugins.Errorf(
		plugins.KindUnsupported, "parts of program %q cannot settle by themselves with an edge that makes a value better, by %v: it would not be noticed that %s",
		p.Name, -step, p.Diverged)
}

// SettlesWith tells why p, which lengthens and can diverge, may go on settling for ever with an edge of this weight.
func SettlesWith(p *algorithms.Program, weight float64) error {
	if weight >= 0 {
		return nil
	}
	return plugins.Errorf(
		plugins.KindUnsupported, "parts of program %q cannot settle by themselves with an edge of %s %v: it would not be noticed that %s",
		p.Name, p.EdgeColumns[0], weight, p.Diverged)
}
