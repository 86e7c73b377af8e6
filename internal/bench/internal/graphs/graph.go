// Package graphs makes the graphs that are measured: it generates or reads edges, numbers vertices
// densely, writes the files that each program reads, and loads them into a store.
package graphs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
	"github.com/penstock-db/penstock/store"
)

// Graph is a graph in a folder: in a store, as text, and in the peers' own forms.
type Graph struct {
	Name, Dir       string
	Delta           int // of delta-stepping, for those who ask
	Directed        bool
	Weights         bool // there is a weighted graph as well
	Vertices, Edges uint64
	Bytes           uint64          // of its chunks
	Loading         measure.Timings // how long each took to read the edges into a form of its own
}

// Files of a graph. A store has the graph without weights as plain, with them as weighted.
const (
	EdgeList, WeightedEdgeList     = "g.el", "g.wel"
	Serialized, WeightedSerialized = "g.sg", "g.wsg"
	Pairs, Grid                    = "g.pairs", "grid"
	Database                       = "db"
	Copied                         = "copied" // as many bytes as the chunks
	Plain, Weighted                = "g", "w"
)

func (g *Graph) File(name string) string { return filepath.Join(g.Dir, name) }

// Prepare makes the files that the kernels need, in a new folder below dir; with weights, those of
// the weighted graph as well.
func Prepare(ctx context.Context, dir, name string, weights bool, o measure.Options) (*Graph, error) {
	in, err := LookupGraph(name)
	if err != nil {
		return nil, err
	}
	g := &Graph{Name: name, Dir: filepath.Join(dir, name), Delta: in.delta, Directed: in.Directed, Weights: weights}
	if err := os.Mkdir(g.Dir, 0o700); err != nil {
		return nil, err
	}
	o.Step("%s: generate", name)
	edges, err := in.Simple(ctx, o.Data)
	if err != nil {
		return nil, err
	}
	g.Edges = uint64(len(edges))
	if err := g.write(edges, o); err != nil {
		return nil, err
	}
	if o.Streamed {
		return g, g.divide(ctx, o)
	}
	return g, g.load(ctx, o)
}

func (g *Graph) write(edges []uint64, o measure.Options) error {
	err := writeText(g.File(EdgeList), edges, false)
	if g.Weights {
		err = errors.Join(err, writeText(g.File(WeightedEdgeList), edges, true))
	}
	if o.Grid != "" {
		err = errors.Join(err, writePairs(g.File(Pairs), edges))
	}
	return err
}

// load stores the graph by processes of their own, as users do, and notes how long that took.
func (g *Graph) load(ctx context.Context, o measure.Options) error {
	o.Step("%s: load %d edges", g.Name, g.Edges)
	var stored struct {
		Vertices uint64  `json:"vertices"`
		Seconds  float64 `json:"seconds"`
	}
	args := []string{"load", Plain, g.File(EdgeList), "--undirected", "--db", g.File(Database)}
	wall, err := programs.Penstock(ctx, o, &stored, args...)
	g.Vertices, g.Loading = stored.Vertices, g.Loading.Add(measure.Sample{Way: measure.PenstockLoad, Seconds: wall,
		Command: g.Shown("penstock", args...)})
	if err == nil && g.Weights {
		_, err = programs.Penstock(ctx, o, &stored, "load", Weighted, g.File(WeightedEdgeList), "--undirected", "--db",
			g.File(Database))
	}
	if err != nil {
		return err
	}
	return g.WithSnapshot(Plain, func(snapshot *store.Snapshot) error {
		for _, info := range snapshot.Chunks(chunk.Both) {
			g.Bytes += uint64(info.Topology)
		}
		return nil
	})
}

// WithSnapshot opens the graph that the store has by that name, for as long as do takes: a whole
// process opens it itself.
func (g *Graph) WithSnapshot(name string, do func(*store.Snapshot) error) error {
	db, err := store.Open(g.File(Database), store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	snapshot, err := db.Snapshot(name)
	if err != nil {
		return err
	}
	defer snapshot.Close()
	return do(snapshot)
}

// Shown is a command as the report prints it: $GRAPH is the graph's directory.
func (g *Graph) Shown(program string, args ...string) string {
	return strings.ReplaceAll(filepath.Base(program)+" "+strings.Join(args, " "), g.Dir, "$GRAPH")
}
