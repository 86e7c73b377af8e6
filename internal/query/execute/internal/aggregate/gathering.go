package aggregate

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// gathering is a procedure that is a function of many rows.
type gathering struct {
	*frame.Frame
	procedure *procedure.Procedure
	of        procedure.Gathering // nil: no row has come yet
}

func (g *gathering) add(arguments []value.Value, t *budget.Tally) error {
	if g.of == nil {
		g.of = g.procedure.Gather(g.Ctx, g.Graph, t.Add)
	}
	return g.of.Add(arguments)
}

func (g *gathering) result() (value.Value, error) {
	if g.of == nil {
		return value.Value{}, nil
	}
	return g.of.Result()
}
