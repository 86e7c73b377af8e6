package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/store"
)

// graph is an undirected graph in a store and, for GAPBS, in files beside it.
type graph struct {
	dir             string
	vertices, edges uint64
	db              *store.DB
	snapshot        *store.Snapshot
}

const edgeList, serialized = "g.el", "g.sg"

// prepare generates, writes g.el, and loads it.
func prepare(ctx context.Context, dir string, o options) (*graph, error) {
	edges, err := simpleRMAT(ctx, o.scale)
	if err != nil {
		return nil, err
	}
	g := &graph{dir: dir}
	if err := writeEdges(g.file(edgeList), edges); err != nil {
		return nil, err
	}
	if err := g.load(ctx); err != nil {
		g.close()
		return nil, err
	}
	if o.gapbs != "" {
		err = command(ctx, o, "converter", "-f", g.file(edgeList), "-s", "-b", g.file(serialized)).Run()
	}
	return g, err
}

func (g *graph) file(name string) string { return filepath.Join(g.dir, name) }

func (g *graph) load(ctx context.Context) error {
	source, err := importer.Open(ctx, []string{g.file(edgeList)}, formats.Options{})
	if err != nil {
		return err
	}
	defer source.Close()
	if g.db, err = store.Open(g.file("db"), store.Options{Create: true}); err != nil {
		return err
	}
	m, err := g.db.Load(ctx, "g", source, store.LoadOptions{Orientation: formats.Undirected})
	if err != nil {
		return err
	}
	g.vertices, g.edges = m.Vertices, m.Edges
	g.snapshot, err = g.db.Snapshot("g")
	return err
}

func (g *graph) close() {
	if g.snapshot != nil {
		g.snapshot.Close()
	}
	if g.db != nil {
		_ = g.db.Close()
	}
}

// simpleRMAT is RMAT as GAPBS's builder leaves it, without loops and parallel edges, and
// without isolated vertices, so that ids are dense: u<<32|v with u < v, sorted.
func simpleRMAT(ctx context.Context, scale int) ([]uint64, error) {
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: scale, EdgeFactor: graph500.DefaultEdgeFactor, Seed: 1})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	number := make([]uint32, 1<<scale) // 0: has no edge
	var edges []uint64
	err = source.Edges(ctx, func(b *formats.EdgeBatch) error {
		for i, u := range b.Src.Ints {
			if v := b.Dst.Ints[i]; u != v {
				edges = append(edges, uint64(min(u, v))<<32|uint64(max(u, v)))
				number[u], number[v] = 1, 1
			}
		}
		return nil
	})
	next := uint32(0)
	for v, used := range number {
		number[v], next = next, next+used
	}
	for i, e := range edges {
		edges[i] = uint64(number[e>>32])<<32 | uint64(number[uint32(e)])
	}
	slices.Sort(edges)
	return slices.Compact(edges), err
}

func writeEdges(name string, edges []uint64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	var line []byte
	for _, e := range edges {
		line = append(strconv.AppendUint(line[:0], e>>32, 10), ' ')
		line = append(strconv.AppendUint(line, uint64(uint32(e)), 10), '\n')
		if _, err := w.Write(line); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return w.Flush()
}
