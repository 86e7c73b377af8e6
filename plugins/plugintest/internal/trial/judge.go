package trial

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/structure"
	"github.com/penstock-db/penstock/plugins"
)

// mayLack tells whether a device may refuse an algorithm that it lists, for these arguments: a procedure by an edge
// property that it can do without, or by vertices that it leaves out.
func mayLack(a *algorithms.Algorithm, args algorithms.Args) bool {
	if structure.MaxDegree(args) < math.MaxInt64 {
		return true
	}
	return a.Procedure != nil && slices.ContainsFunc(a.Params, func(p algorithms.Param) bool {
		return p.Type == algorithms.ParamProperty && p.Optional && p.Default == "" && args.Strings[p.Name] != ""
	})
}

// Judge compares a run with the oracle and with the properties that define the result.
func Judge(a *algorithms.Algorithm, g *algorithms.Graph, args algorithms.Args, got []algorithms.Values, err error,
	want []algorithms.Values, wantErr error) error {
	var diverged *algorithms.DivergedError
	switch {
	case errors.As(wantErr, &diverged) && errors.As(err, &diverged):
		return nil
	case wantErr != nil && err != nil:
		return fmt.Errorf("ended with %w; expected %w", err, wantErr)
	case wantErr != nil:
		return fmt.Errorf("ended well; expected %w", wantErr)
	case err != nil:
		return fmt.Errorf("ended with %w; expected a result", err)
	}
	if a.Shape == algorithms.OfRows {
		return sameRows(g, a.Columns(args), got, want, NearlyFor(args))
	}
	if err := Differs(g, got, want, NearlyFor(args)); err != nil && !a.Approximate {
		return err
	}
	return a.Verify(g, args, got)
}

// Settled tells a run that has ended by its own rule from one that has spent its iterations.
func Settled(p *algorithms.Program, g *algorithms.Graph, last plugins.Iteration) bool {
	return g.N() == 0 || last.Active == 0 || p.Norm != algorithms.NoNorm && last.Change <= p.Tolerance
}
