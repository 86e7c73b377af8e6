package procedures

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Streamed is a procedure that works on the lists of some vertices at a time, and keeps what it knows of all vertices.
type Streamed interface {
	// Scratch is what Start allocates, in bytes, but for the lists that the procedure keeps.
	Scratch() uint64
	// Lists are those that it asks for: of BothSides, or those along the edges alone.
	Lists() algorithms.Edges
	// Keeps tells whether the procedure keeps lists beyond the pass that brings them.
	Keeps() bool
	// Start begins. It may keep so many bytes of lists: room for those of any one vertex, at least.
	Start(ctx context.Context, keep uint64) error
	// Next adds the vertices to an empty batch whose lists are wanted next; none: the result columns are written.
	Next(ctx context.Context, b *lists.Batch) error
	// Work makes use of the lists of a batch, which are complete.
	Work(ctx context.Context, b *lists.Batch) error
}

// Widened is a streamed procedure that makes use of more than the least.
type Widened interface {
	// Widen lets it allocate so many bytes more, which Scratch has then.
	Widen(room uint64)
}

// BuildStreamed makes a streamed procedure ready.
type BuildStreamed func(Input) (Streamed, error)

var streamedTable = map[string]BuildStreamed{}

// RegisterStreamed enters the streamed form of a procedure into a table of its own.
func RegisterStreamed(name string, b BuildStreamed) { streamedTable[name] = b }

// Streams tells whether a procedure has a streamed form.
func Streams(name string) bool { return streamedTable[name] != nil }

// Passes runs a streamed procedure as plugins.ExtensionPasses has it.
//
//	Init or Apply ──Next──▶ batch, active set ──Step…──▶ lists ──Apply: Work──▶ Next …
type Passes struct {
	streamed    Streamed
	pool        parallel.Pool
	degrees     lists.Degrees
	active      []uint64
	batch       *lists.Batch
	batchBytes  uint64
	keptBytes   uint64
	iteration   plugins.Iteration
	vertexBytes uint64
}

const (
	slotBytes  = 16 << 10 // the least that is left for chunks to pass through
	leastShare = 16       // a batch takes that part of all lists
	leastBatch = 64 << 10 // or so much, if that is less; and any one list
)

// NewPasses makes the streamed form of a procedure ready. Its lists take three quarters of what the budget has
// beyond the least that will do; without a bound, that.
func NewPasses(job plugins.Job, task plugins.Task, pool parallel.Pool) (*Passes, plugins.Plan, error) {
	in, err := newInput(job, task, pool)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	integers := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	if err := in.Columns.Require(integers("out_degree"), integers("in_degree")); err != nil {
		return nil, plugins.Plan{}, err
	}
	p := &Passes{pool: pool}
	if p.active, err = kit.OpenBitmap(job.Arena, task.Layout.Active, in.N); err != nil {
		return nil, plugins.Plan{}, err
	}
	if p.streamed, err = streamedTable[task.Procedure](in); err != nil {
		return nil, plugins.Plan{}, err
	}
	edges := p.streamed.Lists()
	p.degrees = lists.Degrees{Out: in.Columns["out_degree"].Ints, In: in.Columns["in_degree"].Ints,
		Directed: job.Graph.Directed && edges == algorithms.BothSides}
	p.vertexBytes = kit.LayoutBytes(task.Layout) + p.streamed.Scratch()
	p.widen(job.Budget)
	p.divide(job.Budget)
	return p, plugins.Plan{
		Directions: plugins.Directions(edges, false, job.Graph.Directed),
		Fixed:      p.vertexBytes + p.batchBytes + p.keptBytes,
		Kernel:     task.Procedure + " in passes",
		ActiveRows: true,
	}, nil
}

// costs are the least that will do for lists, and what all together take. With less, each list would be a pass.
func (p *Passes) costs() (least, all uint64) {
	most, all := p.degrees.Costs()
	return max(most, min(all/leastShare, leastBatch)), all
}

// widen lets a procedure have half of what the budget has beyond the least that will do.
func (p *Passes) widen(budget uint64) {
	w, ok := p.streamed.(Widened)
	most, _ := p.costs()
	least := p.vertexBytes + most + slotBytes
	if !ok || budget <= least {
		return
	}
	p.vertexBytes -= p.streamed.Scratch()
	w.Widen((budget - least) / 2)
	p.vertexBytes += p.streamed.Scratch()
}

// divide decides how much of a budget lists take.
func (p *Passes) divide(budget uint64) {
	most, all := p.costs()
	room := budget - min(budget, p.vertexBytes)
	room -= min(room, slotBytes)
	room = max(most, room-(room-min(room, most))/4)
	if p.batchBytes = max(most, min(room, all)); !p.streamed.Keeps() {
		return
	}
	room = max(room, 2*most)
	p.keptBytes = min(max(most, room/4*3), all, room-most) // it is gone through for every batch that comes
	p.batchBytes = min(room-p.keptBytes, all)
}

// Init names the lists of the first pass.
func (p *Passes) Init(ctx context.Context) error {
	p.iteration = plugins.Iteration{}
	p.batch = lists.NewBatch(p.degrees, p.batchBytes)
	if err := p.streamed.Start(ctx, p.keptBytes); err != nil {
		return err
	}
	return p.next(ctx)
}

// next has the procedure name the lists of the next pass.
func (p *Passes) next(ctx context.Context) error {
	clear(p.active)
	p.batch.Clear()
	if err := p.streamed.Next(ctx, p.batch); err != nil {
		return err
	}
	p.batch.Seal()
	for _, v := range p.batch.Vertices {
		p.active[v/64] |= 1 << (v % 64)
	}
	p.iteration.Active = uint64(len(p.batch.Vertices))
	if p.iteration.Converged = p.iteration.Active == 0; p.iteration.Converged && p.batch.Refused {
		return plugins.Errorf(plugins.KindBudget, "there is no room for the lists of one vertex")
	}
	return ctx.Err()
}

// Step takes the lists that a chunk has of the vertices of the pass.
func (p *Passes) Step(ctx context.Context, c *csr.Chunk) (edges uint64, err error) {
	return p.batch.Take(ctx, p.pool, c)
}

// Apply works on the lists of the pass, which are complete, and names those of the next.
func (p *Passes) Apply(ctx context.Context) error {
	if err := p.batch.Complete(); err != nil {
		return err
	}
	if err := p.streamed.Work(ctx, p.batch); err != nil {
		return err
	}
	p.iteration.Number++
	return p.next(ctx)
}

// Iteration is how many passes have ended, and how many lists the next needs.
func (p *Passes) Iteration() *plugins.Iteration {
	it := p.iteration
	return &it
}
