package reference

import (
	"context"
	"errors"
	"maps"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// procedure is an algorithm that is no vertex program.
type procedure struct {
	frame
	algorithm   *algorithms.Algorithm
	args        algorithms.Args
	edgeColumns []string // that it reads
}

func newProcedure(f frame, task plugins.Task) (p procedure, err error) {
	a, err := catalog.Lookup(task.Procedure)
	if err != nil || a.Procedure == nil {
		return p, plugins.Errorf(plugins.KindUnsupported, "procedure %q", task.Procedure)
	}
	columns := a.Columns(task.Args)
	for _, in := range a.VertexInputs(task.Args) {
		columns = append(columns, in.Column)
	}
	return procedure{f, a, task.Args, a.Procedure.EdgeColumns(task.Args)}, f.columns.Require(columns...)
}

// Call asks the oracle.
func (p procedure) Call(_ context.Context, chunks []*kit.Chunk, _ func(float64)) (edges uint64, err error) {
	g := p.whole(chunks)
	results, err := p.algorithm.Oracle(g, p.vectorsApart(g))
	var diverged *algorithms.DivergedError
	if errors.As(err, &diverged) {
		return 0, &kit.CycleError{Cycle: cycleOf(g)}
	}
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	p.write(results)
	return uint64(len(g.Out.Neighbors)), nil
}

// whole is the graph from its chunks. In the chunks of an undirected graph an edge stands
// at both of its ends; the lesser end has it here.
func (p procedure) whole(chunks []*kit.Chunk) *algorithms.Graph {
	var edges []algorithms.Edge
	for _, c := range chunks {
		l := p.lists(c, p.edgeColumns)
		for v := range p.graph.Vertices {
			for k := l.Offsets[v]; k < l.Offsets[v+1]; k++ {
				if !p.graph.Directed && l.Neighbors[k] < uint32(v) {
					continue
				}
				e := algorithms.Edge{Src: uint32(v), Dst: l.Neighbors[k], Weights: map[string]float64{}}
				for name, values := range l.Columns {
					e.Weights[name] = values[k]
				}
				edges = append(edges, e)
			}
		}
	}
	g := algorithms.NewGraph(p.graph.Directed, p.ids(), edges)
	g.Properties = map[string]algorithms.Values{}
	for _, in := range p.algorithm.VertexInputs(p.args) {
		g.Properties[in.Property] = p.columns[in.Name]
	}
	return g
}

// vectorsApart gives the graph what a task has as vectors, under the names of their rows: another parameter may name
// the same property, as numbers. It tells what arguments name them so.
func (p procedure) vectorsApart(g *algorithms.Graph) algorithms.Args {
	args := p.args
	args.Strings = maps.Clone(args.Strings)
	for _, param := range p.algorithm.Params {
		if param.Type == algorithms.ParamVectors && args.Strings[param.Name] != "" {
			args.Strings[param.Name] = algorithms.InputColumn(param.Name)
		}
	}
	for _, in := range p.algorithm.VectorInputs(p.args) {
		vectors := algorithms.NewValues(algorithms.Column{Type: algorithms.Float, Each: in.Width}, g.N())
		for i, x := range p.rows[in.Name] {
			vectors.Floats[i] = float64(x)
		}
		g.Properties[in.Name] = vectors
	}
	return args
}
