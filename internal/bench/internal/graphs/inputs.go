package graphs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// GraphNames tells how the graphs are named that everybody can compute on. FACTOR is how many
// edges are drawn for each vertex; 16 without.
func GraphNames() []string {
	return []string{"rmat-SCALE[xFACTOR]", "uniform-SCALE[xFACTOR]", "cnr-2000", "road-ny"}
}

// real graphs are files below Options.Data: LAW's web graph, the road map of the 9th DIMACS
// challenge in the form of PACE 2016, and SNAP's p2p-Gnutella31 in that of Graphalytics.
var real = map[string]Input{
	"cnr-2000": {File: "cnr-2000/cnr-2000.graph-txt.gz", delta: 8},
	"road-ny":  {File: "road-dimacs9/NY.gr.txt.gz", delta: 1024},
	"p2p-31":   {File: "p2p-31-graphalytics/p2p-31.e.gz", Directed: true},
}

// Input is where the edges of a graph come from: a generator, or a file.
type Input struct {
	generate graph500.Options
	File     string
	delta    int  // of GAPBS's delta-stepping: its own for such graphs, or the best of powers of two
	Directed bool // edges stay as they are; else they lead both ways
}

func LookupGraph(name string) (Input, error) {
	if in, is := real[name]; is {
		return in, nil
	}
	kind, size, _ := strings.Cut(name, "-")
	scale, times, dense := strings.Cut(size, "x")
	n, err := strconv.Atoi(scale)
	factor := graph500.DefaultEdgeFactor
	if dense && err == nil {
		factor, err = strconv.Atoi(times)
	}
	generated := kind == string(graph500.RMAT) || kind == string(graph500.Uniform)
	if !generated || err != nil || n < 1 || n > 31 || factor < 1 || factor > 1<<10 {
		return Input{}, &measure.OptionError{Option: "graph", Found: strconv.Quote(name), Want: measure.Known(GraphNames())}
	}
	return Input{delta: 2, generate: graph500.Options{
		Kind: graph500.Kind(kind), Scale: n, EdgeFactor: factor, Seed: 1,
	}}, nil
}

func (in Input) open(ctx context.Context, data string) (formats.Source, error) {
	if in.File == "" {
		return graph500.New(in.generate)
	}
	return importer.Open(ctx, []string{filepath.Join(data, in.File)}, formats.Options{})
}

// Check refuses a file that is not in the folder data, before anything is measured.
func (in Input) Check(data string) error {
	if in.File == "" {
		return nil
	}
	if data == "" {
		return fmt.Errorf("bench: %s is a file of a folder of graphs: give --data DIR", in.File)
	}
	_, err := os.Stat(filepath.Join(data, in.File))
	return err
}

// Simple is the graph as GAPBS's builder leaves it, without loops and parallel edges, and
// without isolated vertices, so that ids are dense: u<<32|v, if undirected with u < v, sorted.
func (in Input) Simple(ctx context.Context, data string) ([]uint64, error) {
	source, err := in.open(ctx, data)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if err := source.Nodes(ctx, func(*formats.NodeBatch) error { return nil }); err != nil {
		return nil, err
	}
	var edges []uint64
	var largest uint32
	err = source.Edges(ctx, func(b *formats.EdgeBatch) error {
		for i, u := range b.Src.Ints {
			if v := b.Dst.Ints[i]; u != v {
				if u > v && !in.Directed {
					u, v = v, u
				}
				edges = append(edges, uint64(u)<<32|uint64(v))
				largest = max(largest, uint32(u), uint32(v))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	renumber(edges, largest)
	slices.Sort(edges)
	return slices.Compact(edges), nil
}

// renumber closes the gaps that vertices without edges leave in the ids.
func renumber(edges []uint64, largest uint32) {
	number := make([]uint32, uint64(largest)+1)
	for _, e := range edges {
		number[e>>32], number[uint32(e)] = 1, 1
	}
	next := uint32(0)
	for v, used := range number {
		number[v], next = next, next+used
	}
	for i, e := range edges {
		edges[i] = uint64(number[e>>32])<<32 | uint64(number[uint32(e)])
	}
}

// IsReal tells whether a graph is a file, not generated.
func IsReal(name string) bool {
	_, is := real[name]
	return is
}
