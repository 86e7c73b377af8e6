package queries

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// propertyGraph is a graph whose nodes have a region and a score and whose edges a weight, as
// files with a header that are read by everybody. Each edge leads from a lower id to a higher.
type propertyGraph struct {
	name, dir       string
	vertices, edges uint64
	starts          []uint32 // vertices that edges begin at, ascending
}

// Files of a property graph.
const nodeTable, edgeTable = "nodes.csv", "edges.csv"

func (g *propertyGraph) file(name string) string { return filepath.Join(g.dir, name) }

// makePropertyGraph makes the files of a graph, in a new folder below dir. Air routes have their
// own properties; those of others are drawn.
func makePropertyGraph(ctx context.Context, o measure.Options, dir, name string) (*propertyGraph, error) {
	g := &propertyGraph{name: name, dir: filepath.Join(dir, name)}
	if err := os.Mkdir(g.dir, 0o700); err != nil {
		return nil, err
	}
	o.Step("%s: generate", name)
	if name == airRoutes {
		return g, g.readAirRoutes(o.Data)
	}
	in, err := graphs.LookupGraph(name)
	if err != nil {
		return nil, err
	}
	edges, err := in.Simple(ctx, o.Data)
	if err != nil {
		return nil, err
	}
	return g, g.draw(edges)
}

// regions and scores are how many different ones are drawn.
const regions, scores = 64, 1000

func (g *propertyGraph) draw(edges []uint64) error {
	last := uint64(0)
	for _, e := range edges {
		last = max(last, e>>32, uint64(uint32(e)))
	}
	nodes := make([]propertyNode, last+1)
	for v := range nodes {
		// two that have nothing to do with each other
		drawn := graphs.Weight(uint64(v)<<16) + 255*graphs.Weight(uint64(v)<<17)
		nodes[v] = propertyNode{"region" + strconv.FormatUint(drawn%regions, 10), int64(drawn / 7 % scores)}
	}
	return g.write(nodes, edges, graphs.Weight)
}

// propertyNode is what a node has beside its id, which is its place among all.
type propertyNode struct {
	region string
	score  int64
}

func (g *propertyGraph) write(nodes []propertyNode, edges []uint64, weight func(edge uint64) uint64) error {
	g.vertices, g.edges = uint64(len(nodes)), uint64(len(edges))
	for _, e := range edges {
		g.starts = append(g.starts, uint32(e>>32))
	}
	slices.Sort(g.starts)
	g.starts = slices.Compact(g.starts)
	numbers := make([]uint64, len(nodes))
	for v := range numbers {
		numbers[v] = uint64(v)
	}
	err := graphs.WriteFile(g.file(nodeTable), ":ID,region,score:int\n", numbers, func(line []byte, v uint64) []byte {
		return fmt.Appendf(line, "%d,%s,%d\n", v, nodes[v].region, nodes[v].score)
	})
	if err != nil {
		return err
	}
	return graphs.WriteFile(g.file(edgeTable), ":START_ID,:END_ID,weight:int\n", edges,
		func(line []byte, e uint64) []byte {
			return fmt.Appendf(line, "%d,%d,%d\n", e>>32, uint32(e), weight(e))
		})
}
