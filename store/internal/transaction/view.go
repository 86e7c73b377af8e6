package transaction

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
)

// View is the nodes and relationships that a transaction sees.
type View struct {
	Names
	ctx   context.Context
	Graph *Graph
	Base  *base.Base
	State *delta.State
	Draft *delta.Draft // whose state State is; nil: read access

	whole *base.Chunk // that a property of a relationship was read from last
}

// Lists are a View with the relationships of each node.
type Lists struct {
	View
	last [2]*base.Chunk // that an Expand read last: of out-lists, of in-lists
}

// Indexed is Lists with the indexes and constraints of the graph.
type Indexed struct{ Lists }

func newIndexed(v View) Indexed {
	v.Names = Names{v.Graph}
	return Indexed{Lists{View: v}}
}
