package plugins

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
)

// Directions are the chunk sets that bring every message once (Plan.Directions), to a device whose rows receive,
// or to one whose rows send.
func Directions(edges algorithms.Edges, receive, directed bool) []chunk.Direction {
	switch {
	case !directed:
		return []chunk.Direction{chunk.Both}
	case edges == algorithms.BothSides:
		return []chunk.Direction{chunk.Out, chunk.In}
	case (edges == algorithms.Forward) == receive:
		return []chunk.Direction{chunk.In}
	default:
		return []chunk.Direction{chunk.Out}
	}
}
