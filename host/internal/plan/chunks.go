package plan

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Chunk is a stored chunk as a run uses it. Its index in Plan.Chunks is its number on the wire.
type Chunk struct {
	Info    store.ChunkInfo
	Size    int              // bytes it takes in the arena, at most, if it is there
	Device  uint64           // bytes it takes of the budget, at most
	Senders []chunk.Interval // vertices that may send along its edges
	At      arena.Range      // its place in the arena, if it has one of its own
}

// ChunkName names a chunk within a graph.
type ChunkName struct {
	Direction chunk.Direction
	Number    uint32
}

// Name names the chunk.
func (c Chunk) Name() ChunkName { return ChunkName{c.Info.Direction, c.Info.Number} }

// Chunks are the stored chunks of a direction, projected to the edge columns of the task.
// An undirected graph has one set, which is Out's; In is then empty.
func (c Computation) Chunks(g Graph, d chunk.Direction) ([]Chunk, error) {
	if d == chunk.In && !g.Manifest().Directed {
		return nil, nil
	}
	var all []Chunk
	sizes := c.Sizes(g.Manifest())
	for _, info := range g.Chunks(d) {
		size, err := g.ChunkSize(info, c.EdgeNames)
		if err != nil {
			return nil, err
		}
		all = append(all, Chunk{Info: info, Size: size,
			Device: uint64(size) + uint64(sizes.ConvertedEdge)*info.Edges, Senders: senders(info, c.Edges)})
	}
	return all, nil
}

// wanted are the chunks of the directions that a device's plan wants.
func (c Computation) wanted(g Graph, device string, kernel plugins.Plan) (all []Chunk, err error) {
	if len(kernel.Directions) == 0 && !c.Edgeless {
		return nil, violation.Of(device, "a plan without chunks")
	}
	directed := g.Manifest().Directed
	for i, d := range kernel.Directions {
		if slices.Contains(kernel.Directions[:i], d) || (d == chunk.Both) == directed {
			return nil, violation.Of(device, "a plan with chunks of direction %v, directed %v", d, directed)
		}
		if d == chunk.Both {
			d = chunk.Out // the name of the only set
		}
		chunks, err := c.Chunks(g, d)
		if err != nil {
			return nil, err
		}
		all = append(all, chunks...)
	}
	if kernel.ActiveRows {
		for i := range all {
			all[i].Senders = []chunk.Interval{all[i].Info.Rows}
		}
	}
	return all, nil
}

// senders are the vertices from which messages may travel along a chunk's edges. Rows
// of an out-chunk are the edges' sources, rows of an in-chunk their targets. Where both
// ends may send, both intervals count.
func senders(info store.ChunkInfo, edges algorithms.Edges) []chunk.Interval {
	rowsSend := info.Direction == chunk.Out && edges == algorithms.Forward ||
		info.Direction == chunk.In && edges == algorithms.Backward
	colsSend := info.Direction == chunk.In && edges == algorithms.Forward ||
		info.Direction == chunk.Out && edges == algorithms.Backward
	switch {
	case rowsSend:
		return []chunk.Interval{info.Rows}
	case colsSend:
		return []chunk.Interval{info.Cols}
	}
	return []chunk.Interval{info.Rows, info.Cols}
}
