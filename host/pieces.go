package host

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// pieces are the stored chunks of a direction, projected to the edge columns of the task.
// An undirected graph has one set, which is Out's; In is then empty.
func (r *run) pieces(d chunk.Direction) ([]piece, error) {
	if d == chunk.In && !r.snap.Manifest().Directed {
		return nil, nil
	}
	var all []piece
	for _, info := range r.snap.Chunks(d) {
		size, err := r.snap.ChunkSize(info, r.edgeNames)
		if err != nil {
			return nil, err
		}
		all = append(all, piece{info: info, size: size,
			device: uint64(size) + r.converted(info), senders: senders(info, r.edges)})
	}
	return all, nil
}

// converted is what a device may need to see a chunk's edge columns as float64 when they
// are stored as something else. Stored as float64 they are read in place: they have no
// nulls (see missing.go).
func (r *run) converted(info store.ChunkInfo) uint64 { return uint64(r.convertedEdge()) * info.Edges }

// convertedEdge is that for one edge.
func (r *run) convertedEdge() (bytes int) {
	for _, p := range r.snap.Manifest().EdgeProperties {
		if slices.Contains(r.edgeNames, p.Name) && p.Type != "float64" {
			bytes += 8
		}
	}
	return bytes
}

// chooseChunks takes the directions that the device's plan wants.
func (r *run) chooseChunks() error {
	wanted := r.kernel.Directions
	if len(wanted) == 0 {
		return lie(r.device.Name, "a plan without chunks")
	}
	r.chunks = nil
	for i, d := range wanted {
		if slices.Contains(wanted[:i], d) || (d == chunk.Both) == r.snap.Manifest().Directed {
			return lie(r.device.Name, "a plan with chunks of direction %v, directed %v", d, r.snap.Manifest().Directed)
		}
		if d == chunk.Both {
			d = chunk.Out // pieces' name for the only set
		}
		pieces, err := r.pieces(d)
		if err != nil {
			return err
		}
		r.chunks = append(r.chunks, pieces...)
	}
	for i := range r.chunks {
		if r.kernel.ActiveRows {
			r.chunks[i].senders = []chunk.Interval{r.chunks[i].info.Rows}
		}
	}
	return nil
}

// allChunks are the numbers of all chunks.
func (r *run) allChunks() []int {
	all := make([]int, len(r.chunks))
	for i := range all {
		all[i] = i
	}
	return all
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
