package kernels

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// form is what Process does with an edge, as message.cuh has it.
type form struct {
	name    string
	neutral float64 // a weight that leaves every message as it is
	column  int     // of the weights, among the program's EdgeColumns
	state   int     // the state column that is sent as it is but for the edge; -1: none is
}

// asIs and processed are the forms whose edges have no weight.
const (
	asIs      = "as_is"
	processed = "processed"
)

var weightings = map[shape.Weighting]form{
	shape.Unweighted: {name: asIs},
	shape.Plus:       {name: "plus", neutral: math.Copysign(0, -1)},
	shape.Times:      {name: "times", neutral: 1},
	shape.Least:      {name: "at_most", neutral: math.Inf(1)},
	shape.Largest:    {name: "at_least", neutral: math.Inf(-1)},
}

// formOf is the form of p's messages. There are no kernels for weights that are multiplied up.
func formOf(p *algorithms.Program) form {
	split := shape.Split(shape.Normal(p.Process.Checked))
	if !split.Fused || split.Weighting != shape.Unweighted && p.Reduce == algorithms.Prod {
		return form{name: processed, state: -1}
	}
	f := weightings[split.Weighting]
	if f.name != asIs {
		f.column = slices.Index(p.EdgeColumns, split.EdgeColumn)
	}
	sent := vector.Name(split.Message, split.Message.GetExpr())
	f.state = slices.IndexFunc(p.State, func(s algorithms.State) bool {
		return sent == "src."+s.Name &&
			s.Type != algorithms.Bool
	})
	return f
}
