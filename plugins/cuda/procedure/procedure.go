package procedure

import (
	"context"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// procedure is an algorithm with its arrays placed.
type procedure interface {
	// run computes the result column and returns how many edges it has looked at. What goes wrong is the run's.
	run(r *run) (edges uint64)
}

// procedures are made by the name of their algorithm.
var procedures = map[string]struct {
	make func(*room, plugins.Graph) procedure
	most uint64 // vertices
}{
	"betweenness": {newBetweenness, mostVertices},
	"cdlp":        {newCDLP, mostVertices},
	"k-core":      {newKCore, mostVertices},
	"lcc":         {newLCC, mostLinked},
	"scc":         {newSCC, mostVertices},
	"triangles":   {newTriangles, mostLinked},
}

// mostVertices is how many vertices 31 bits can name; one bit is a mark.
const mostVertices = 1 << 31

// Names are the procedures that Run knows, in order.
func Names() []string { return slices.Sorted(maps.Keys(procedures)) }

// Scratch is how many bytes a procedure needs on the card beside the chunks and the columns, however the chunks
// are cut.
func Scratch(name string, graph plugins.Graph) (uint64, error) {
	p, known := procedures[name]
	if !known {
		return 0, plugins.Errorf(plugins.KindUnsupported, "procedure %q is not among %v", name, Names())
	}
	if graph.Vertices > p.most {
		return 0, plugins.Errorf(plugins.KindUnsupported, "%s of %d vertices: up to %d", name, graph.Vertices, p.most)
	}
	var all room
	p.make(&all, graph)
	return all.bytes, nil
}

// Directions are those of the chunks that every procedure needs.
func Directions(graph plugins.Graph) []chunk.Direction {
	if graph.Directed {
		return []chunk.Direction{chunk.Out, chunk.In}
	}
	return []chunk.Direction{chunk.Both}
}

// Job is what Run works with. The goroutine is locked to a thread on which the card's context is current.
type Job struct {
	Stream  driver.Stream
	Kernels *kernels.Procedures
	Plain   *kernels.Plain
	Graph   plugins.Graph
	Args    algorithms.Args
	Chunks  []kernels.Resident        // all of them, in any order
	Columns map[string]driver.Pointer // on the card, by name: the inputs, and the result, which may hold anything
	IDs     []int64                   // the column id, on the host
	Scratch driver.Pointer            // as many bytes as Scratch says, at a multiple of 256
	Answer  []byte                    // 64 bytes or more of the host's memory, pinned
	Tell    func(fraction float64)
}

// Run computes a procedure. When it returns without an error the result is in its column; when ctx has ended,
// the card may still be at work on what was launched before.
func Run(ctx context.Context, name string, job Job) (edges uint64, err error) {
	p, known := procedures[name]
	if !known {
		return 0, plugins.Errorf(plugins.KindUnsupported, "procedure %q is not among %v", name, Names())
	}
	r := &run{Job: job, ctx: ctx, n: job.Graph.Vertices}
	edges = p.make(&room{at: job.Scratch}, job.Graph).run(r)
	r.wait()
	return edges, r.err
}
