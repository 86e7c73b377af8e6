package cpu

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// program is a vertex program made ready for one graph. Its fields fall into what the
// program says, what it computes with, and where a run stands.
type program struct {
	spec      *algorithms.Program
	process   shape.Process
	accType   algorithms.Type // of Process, acc and the messages
	n         int
	pool      parallel.Pool
	headCount int

	columns    vector.Columns
	state      []vector.Column // of spec.State
	active     []uint64
	senders    []uint64 // whose messages are sent: active, or a part of it (settle.go)
	init       *evaluation
	aggregates *evaluation // nil: none
	mass       *mass       // in place of aggregates
	message    *evaluation // nil: Process is evaluated per edge
	scaled     *scaled     // in place of message
	gate       *gate       // nil: message is for all targets
	hoisted    *evaluation // nil: nothing; parts of a Process that is evaluated per edge
	apply      *evaluation // nil: state only improves (improve.go)
	affine     *affine     // in place of apply
	threshold  *threshold  // in place of apply
	applied    []int       // the State that each of apply's outputs becomes
	edges      edgeKernel
	bottomUp   *bottomUp // nil: never instead of edges
	solver     solver    // nil: iterations by edges and apply
	stepper    stepper   // nil, or the solver: never by edges and apply
	settling   bool      // by Settle alone
	restorable bool      // an iteration leaves nothing behind but state and active
	fromRows   bool      // the host would cut chunks to the rows of active vertices
	parts      bool      // and their lists to places
	share      *ownShare // nil: all vertices
	partial    bool      // of the edges, others are in other sessions (part.go)

	order          keyOrder
	keys           []int64         // push: the accumulators; one a vertex
	touched        []uint64        // push: whose key was lowered since Apply; of sums, by words at least
	departing      []uint64        // settle: who sends in a round
	acc            vector.Column   // pull: the accumulators
	heads          vector.Column   // pull: of each segment, for a row that began before it
	decoded        []vector.Column // push: the accumulators as Apply sees them, of each worker
	messages       vector.Column   // one a vertex; when pushed, keys or the bits of a float
	singles        []float32       // in place of messages (single.go)
	hoistedColumns []vector.Column // of each part
	totals         []vector.Column // of each aggregate, as often as a strip needs it
	changes        []change        // of each block
	extents        []extent        // with bottomUp: of each block, the keys it sends
	partials       []float64       // of each aggregate and block

	started   bool // Init or Restore has run
	emptied   bool // the accumulators have been made ready since
	iteration int
	begun     bool // messages and aggregates are of the current state
	allSend   bool // every vertex is active
	sent      extent
	places    chunk.Places // of the active rows' lists, that the next iteration needs
}

// edgeKernel carries messages along the edges of a chunk into the accumulators.
type edgeKernel interface {
	name() string
	size() uint64 // bytes of scratch
	// step does segment s of r and returns how many edges were processed.
	step(worker int, r *csr.Chunk, s int) uint64
	// combine runs alone, after all segments of r.
	combine(r *csr.Chunk)
}

// plan is the answer to Compile.
func (p *program) plan(graph plugins.Graph, layout plugins.Layout) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.spec.Edges, p.pulls(), graph.Directed),
		Fixed:      kit.LayoutBytes(layout) + p.scratch(),
		Kernel:     p.kernelName(),
		ActiveRows: !p.pulls(), // what pulls asks whoever may send
		Settles:    p.settling,
		Restores:   p.restorable,
		Shares:     p.share != nil,
		Parts:      p.partial,
	}
}

// kernelName tells push or pull, types, reduction and form: "pull f64 sum, fused".
func (p *program) kernelName() string {
	if p.stepper != nil {
		return p.stepper.name()
	}
	way := "push "
	if p.pulls() {
		way = "pull "
	}
	name := way + kernelTypes[p.accType] + " " + p.spec.Reduce.String() + ", " + p.edges.name()
	if p.bottomUp != nil {
		name += " or " + p.bottomUp.name()
	}
	if p.solver != nil {
		name = p.solver.name() + "; streamed: " + name
	}
	return name
}

var kernelTypes = map[algorithms.Type]string{algorithms.Float: "f64", algorithms.Int: "i64", algorithms.Bool: "bool"}

// scratch is what allocate takes and the machines hold, in bytes.
func (p *program) scratch() uint64 {
	if p.stepper != nil {
		return uint64(parallel.BlockCount(p.n))*changeBytes + p.stepper.scratch() + p.init.size() + p.message.size()
	}
	n := uint64(p.n)
	bytes := 8 * n // keys or acc
	for _, t := range p.terms() {
		bytes += t.bytes(p.n)
	}
	bytes += p.gate.bytes(p.n)
	if p.mass != nil {
		bytes += p.mass.bytes()
	}
	if p.process.Fused {
		sent := p.messageWidth() * n
		if bytes += sent; p.readAtRandom() {
			bytes += hugeSlack(sent)
		}
	}
	switch {
	case p.pulls():
		bytes += 8 * uint64(p.headCount)
	case shape.Accumulates(p.spec.Reduce):
		bytes += 8 * uint64(bitmap.Words(p.n))
	default:
		bytes += 8*uint64(bitmap.Words(p.n)) + uint64(p.pool.Threads)*vector.Width*kit.Width(p.accType)
	}
	bytes += uint64(parallel.BlockCount(p.n)) * changeBytes
	if p.bottomUp != nil {
		bytes += p.bottomUp.size()
	}
	if p.settling {
		bytes += 8 * uint64(bitmap.Words(p.n))
	}
	if p.solver != nil {
		bytes += p.solver.scratch()
	}
	bytes += uint64(len(p.spec.Aggregates)) * 8 * (vector.Width + uint64(parallel.BlockCount(p.n)))
	return bytes + p.init.size() + p.aggregates.size() + p.message.size() + p.hoisted.size() + p.hoistedBytes() + p.apply.size() + p.edges.size()
}

// pulls tells whether rows gather what their lists send. Sums do, so that nobody else writes
// a row; but where the host would cut chunks to the rows of those who send, and these are not
// always all, the rows of sources push them (accumulate.go).
func (p *program) pulls() bool {
	return shape.Accumulates(p.spec.Reduce) && (!p.fromRows || p.spec.Activity == algorithms.Always)
}

// improves tells whether Apply only ever replaces the first column by a better one.
// The accumulators then need no reset: they start as the state itself, a message that
// does not improve it is dropped at once, and Apply visits only what was touched.
func (p *program) improves() bool { return shape.Improves(p.spec) }

// edgeColumn is the place of an edge property among those that Process reads, or -1.
func (p *program) edgeColumn(name string) int { return slices.Index(p.spec.EdgeColumns, name) }
