// Package check refuses what a host may not ask of a session: a Job that it cannot open, a Task that contradicts
// itself, a command that makes no sense now (Order), a Restore of what is not there. Package kit does so for its
// sessions.
package check

import "github.com/penstock-db/penstock/plugins"

// Order says which commands make sense: what has been compiled, and whether there is a state.
type Order struct {
	Program bool         // the task is a vertex program, not a procedure
	Plan    plugins.Plan // the answer to Compile
	Started bool         // Init or Restore has been obeyed
}

// ErrNotCompiled refuses an Execute that comes before Compile.
var ErrNotCompiled = plugins.Errorf(plugins.KindInvalid, "there is no task: Compile comes first")

var (
	errNotStarted  = plugins.Errorf(plugins.KindInvalid, "there is no state yet: Init comes first")
	errNotSettling = plugins.Errorf(plugins.KindInvalid, "Settle needs a task that says Settle")
	errSettling    = plugins.Errorf(plugins.KindInvalid,
		"the task says Settle, which comes instead of Step, Apply, Iterate and Gather (of intervals: instead of Iterate)")
	errNotRestorable = plugins.Errorf(plugins.KindInvalid, "Restore needs a task that says Restorable")
	errNoNetwork     = plugins.Errorf(plugins.KindInvalid, "a network is computed by Pass, and nothing else is")
	errNoGrid        = plugins.Errorf(plugins.KindInvalid,
		"a network with a grid is computed by Rows, Cell, Reduce, Reduced and Pass, and by Apply and Pass without")
	errHalves = plugins.Errorf(plugins.KindInvalid, "halves of a network are computed by Rows, and by nothing else")
	errNoPart = plugins.Errorf(plugins.KindInvalid, "Gather and Deliver need a task that says Part")
)

// Check refuses an Op that makes no sense now. Of Upload and Evict it knows nothing: they
// depend on the chunk.
func (o Order) Check(op plugins.Op) error {
	switch {
	case op < plugins.Upload || op > plugins.Reduced:
		return plugins.Errorf(plugins.KindInvalid, "there is no command %d", op)
	case op == plugins.Upload || op == plugins.Evict:
		return nil
	case (op == plugins.Call) == o.Program:
		return plugins.Errorf(plugins.KindInvalid, "command %d is not for this task", op)
	case op == plugins.Call || op == plugins.Init:
		return nil
	case op == plugins.Restore && !o.Plan.Restores:
		return errNotRestorable
	case op == plugins.Restore:
		return nil
	case !o.Started:
		return errNotStarted
	}
	return o.checkStarted(op)
}

// checkStarted is Check for commands that go on from a state.
func (o Order) checkStarted(op plugins.Op) error {
	switch {
	case (ofNetworks(op) || op == plugins.Iterate) && ofNetworks(op) != o.Plan.Networks:
		return errNoNetwork
	case o.Plan.Halves && (op == plugins.Rows) == ofNetworks(op):
		return nil
	case o.Plan.Halves:
		return errHalves
	case op == plugins.Pass:
		return nil
	case ofNetworks(op) && !o.Plan.Grid || o.Plan.Grid && !ofNetworks(op):
		return errNoGrid
	case ofNetworks(op):
		return nil
	case (op == plugins.Gather || op == plugins.Deliver) && !o.Plan.Parts:
		return errNoPart
	case op == plugins.Deliver:
		return nil
	case op == plugins.Settle && !o.Plan.Settles:
		return errNotSettling
	case op != plugins.Settle && o.Plan.Settles && !o.Plan.Intervals,
		op == plugins.Iterate && o.Plan.Settles:
		return errSettling
	}
	return nil
}

// ofNetworks says whether an Op is for networks alone.
func ofNetworks(op plugins.Op) bool { return op >= plugins.Pass && op <= plugins.Reduced }
