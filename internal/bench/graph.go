package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// graph is a graph in a folder: in a store, as text, and in the peers' own forms.
type graph struct {
	name, dir       string
	delta           int // of delta-stepping, for those who ask
	directed        bool
	weights         bool // there is a weighted graph as well
	vertices, edges uint64
	bytes           uint64  // of its chunks
	loading         timings // how long each took to read the edges into a form of its own
}

// Files of a graph. A store has the graph without weights as plain, with them as weighted.
const (
	edgeList, weightedEdgeList     = "g.el", "g.wel"
	serialized, weightedSerialized = "g.sg", "g.wsg"
	pairs, grid                    = "g.pairs", "grid"
	database                       = "db"
	copied                         = "copied" // as many bytes as the chunks
	plain, weighted                = "g", "w"
)

func (g *graph) file(name string) string { return filepath.Join(g.dir, name) }

// prepare makes the files that the kernels need, in a new folder below dir; with weights, those of
// the weighted graph as well.
func prepare(ctx context.Context, dir, name string, weights bool, o Options) (*graph, error) {
	in, err := lookupGraph(name)
	if err != nil {
		return nil, err
	}
	g := &graph{name: name, dir: filepath.Join(dir, name), delta: in.delta, directed: in.directed, weights: weights}
	if err := os.Mkdir(g.dir, 0o700); err != nil {
		return nil, err
	}
	o.step("%s: generate", name)
	edges, err := in.simple(ctx, o.Data)
	if err != nil {
		return nil, err
	}
	g.edges = uint64(len(edges))
	if err := g.write(edges, o); err != nil {
		return nil, err
	}
	if o.streamed {
		return g, g.divide(ctx, o)
	}
	return g, g.load(ctx, o)
}

func (g *graph) write(edges []uint64, o Options) error {
	err := writeText(g.file(edgeList), edges, false)
	if g.weights {
		err = errors.Join(err, writeText(g.file(weightedEdgeList), edges, true))
	}
	if o.Grid != "" {
		err = errors.Join(err, writePairs(g.file(pairs), edges))
	}
	return err
}

// load stores the graph by processes of their own, as users do, and notes how long that took.
func (g *graph) load(ctx context.Context, o Options) error {
	o.step("%s: load %d edges", g.name, g.edges)
	var stored struct {
		Vertices uint64  `json:"vertices"`
		Seconds  float64 `json:"seconds"`
	}
	args := []string{"load", plain, g.file(edgeList), "--undirected", "--db", g.file(database)}
	wall, err := o.penstock(ctx, &stored, args...)
	g.vertices, g.loading = stored.Vertices, g.loading.add(sample{way: penstockLoad, seconds: wall, command: g.shown("penstock", args...)})
	if err == nil && g.weights {
		_, err = o.penstock(ctx, &stored, "load", weighted, g.file(weightedEdgeList), "--undirected", "--db", g.file(database))
	}
	if err != nil {
		return err
	}
	return g.withSnapshot(plain, func(snapshot *store.Snapshot) error {
		for _, info := range snapshot.Chunks(chunk.Both) {
			g.bytes += uint64(info.Topology)
		}
		return nil
	})
}

// withSnapshot opens the graph that the store has by that name, for as long as do takes: a whole
// process opens it itself.
func (g *graph) withSnapshot(name string, do func(*store.Snapshot) error) error {
	db, err := store.Open(g.file(database), store.Options{})
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

// shown is a command as the report prints it: $GRAPH is the graph's directory.
func (g *graph) shown(program string, args ...string) string {
	return strings.ReplaceAll(filepath.Base(program)+" "+strings.Join(args, " "), g.dir, "$GRAPH")
}
