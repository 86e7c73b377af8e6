package reference

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// program is a vertex program, and where a run of it stands.
type program struct {
	frame
	spec        *algorithms.Program
	active      []uint64                // in the arena
	interpreter *algorithms.Interpreter // after Init
	iteration   plugins.Iteration
}

func newProgram(f frame, job plugins.Job, task plugins.Task) (*program, error) {
	p := &program{frame: f, spec: task.Program}
	err := f.columns.Require(algorithms.VertexColumns(p.spec)...)
	if err == nil {
		p.active, err = kit.OpenBitmap(job.Arena, task.Layout.Active, int(f.graph.Vertices))
	}
	return p, err
}

// Init gives every vertex its first state.
func (p *program) Init(context.Context) (err error) {
	g := &algorithms.Graph{Directed: p.graph.Directed, IDs: p.ids(), Out: p.degrees("out_degree"),
		In: p.degrees("in_degree"), Properties: p.columns}
	if p.interpreter, err = algorithms.NewInterpreter(g, p.spec); err != nil {
		return plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	p.iteration = plugins.Iteration{}
	p.publish()
	return nil
}

// Step sends the messages of a chunk's edges.
func (p *program) Step(_ context.Context, c *kit.Chunk) (uint64, error) {
	return uint64(c.Edges()), p.interpreter.Send(p.lists(c, p.spec.EdgeColumns))
}

// Apply ends an iteration.
func (p *program) Apply(context.Context) error {
	change, _, err := p.interpreter.Apply()
	p.iteration.Number++
	p.iteration.Change = change
	p.publish()
	return err
}

// Iteration says where the run stands.
func (p *program) Iteration() *plugins.Iteration {
	it := p.iteration
	return &it
}

// publish puts state and active set into the arena, where the host reads them.
func (p *program) publish() {
	p.write(p.interpreter.State())
	clear(p.active)
	it, n := &p.iteration, int(p.graph.Vertices)
	it.Active = 0
	for v, is := range p.interpreter.Active() {
		if is {
			p.active[v/64] |= 1 << (v % 64)
			it.Active++
		}
	}
	it.Converged = kit.Converged(p.spec, n, it.Number, it.Active, it.Change)
}

// degrees are lists that have the lengths in a column and nothing in them; zero lengths
// when the task does not use that column.
func (p *program) degrees(column string) algorithms.Lists {
	l := algorithms.Lists{Offsets: make([]int, p.graph.Vertices+1), Columns: map[string][]float64{}}
	for _, name := range p.spec.EdgeColumns {
		l.Columns[name] = nil
	}
	if lengths, ok := p.columns[column]; ok {
		for v := range p.graph.Vertices {
			l.Offsets[v+1] = l.Offsets[v] + int(lengths.Ints[v])
		}
	}
	return l
}
