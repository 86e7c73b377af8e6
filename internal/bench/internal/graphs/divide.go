package graphs

import (
	"context"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/store"
)

// A graph that is to be streamed is divided into as many chunks, about, as RMAT 20 has by
// default: of a smaller graph in chunks of that size there would be little to choose from.
const (
	streamedChunks = 64
	leastChunk     = 16 << 10
	largestChunk   = 2 << 20
)

// divide stores the graph in chunks that are small beside it.
func (g *Graph) divide(ctx context.Context, o measure.Options) error {
	o.Step("%s: load %d edges", g.Name, g.Edges)
	db, err := store.Open(g.File(Database), store.Options{Create: true})
	if err != nil {
		return err
	}
	defer db.Close()
	m, err := g.divideFile(ctx, db, Plain, EdgeList)
	if err == nil && g.Weights {
		_, err = g.divideFile(ctx, db, Weighted, WeightedEdgeList)
	}
	if err != nil {
		return err
	}
	g.Vertices = m.Vertices
	for _, info := range m.Chunks(chunk.Both) {
		g.Bytes += uint64(info.Topology)
	}
	return nil
}

func (g *Graph) divideFile(ctx context.Context, db *store.DB, name, file string) (*store.Manifest, error) {
	source, err := importer.Open(ctx, []string{g.File(file)}, formats.Options{})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	options := store.LoadOptions{ChunkBytes: min(max(leastChunk, int(8*g.Edges/streamedChunks)), largestChunk),
		Orientation: formats.Undirected}
	if g.Directed {
		options.Orientation = formats.Directed
	}
	return db.Load(ctx, name, source, options)
}
