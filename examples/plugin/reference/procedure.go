package reference

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// procedure is an algorithm that is no vertex program.
type procedure struct {
	frame
	algorithm *algorithms.Algorithm
	args      algorithms.Args
}

func newProcedure(f frame, task plugins.Task) (*procedure, error) {
	a, err := algorithms.Lookup(task.Procedure)
	if err != nil || a.Procedure == nil {
		return nil, plugins.Errorf(plugins.KindUnsupported, "procedure %q", task.Procedure)
	}
	return &procedure{f, a, task.Args}, f.columns.Require(a.Result...)
}

// Call asks the oracle.
func (p *procedure) Call(_ context.Context, chunks []*kit.Chunk, _ func(float64)) (edges uint64, err error) {
	g := p.whole(chunks)
	results, err := p.algorithm.Oracle(g, p.args)
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	p.write(results)
	return uint64(len(g.Out.Neighbors)), nil
}

// whole is the graph from its chunks. In the chunks of an undirected graph an edge stands
// at both of its ends; the lesser end has it here.
func (p *procedure) whole(chunks []*kit.Chunk) *algorithms.Graph {
	var edges []algorithms.Edge
	for _, c := range chunks {
		l := p.lists(c, nil)
		for v := range p.graph.Vertices {
			for _, neighbor := range l.Neighbors[l.Offsets[v]:l.Offsets[v+1]] {
				if p.graph.Directed || neighbor >= uint32(v) {
					edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: neighbor})
				}
			}
		}
	}
	return algorithms.NewGraph(p.graph.Directed, p.ids(), edges)
}
