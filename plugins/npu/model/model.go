package model

import (
	"context"
	"iter"

	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Row is some edges that lead to one vertex. Vertices have numbers below N.
type Row struct {
	Target  uint32
	Sources []uint32
	Weights [][]float64 // of each of the program's EdgeColumns
}

// Edges are the rows of a matrix, in any order; a target may have several. Build goes through them more
// than once.
type Edges = iter.Seq[Row]

// Lane is what one set of columns sends, and where it arrives.
type Lane struct {
	Columns map[string]vector.Column // of Plan.Inputs, N values each
	Senders []uint64                 // a bitmap of who sends
	Acc     vector.Column            // of N values, set by Send: the identity of Reduce where nothing came
	// Left, where it is not nil and the plan is Loose, is set by Send to those senders whose messages are
	// to be sent later, because those of others come first. One at least is not left.
	Left []uint64
	// State, where it is set and Reduce is neither Sum nor Prod, is what Acc will be combined with: what
	// would not better it need not arrive. As long as the type of Acc.
	State vector.Column
}

// Model is a program's edges as the runtime takes them. It is for one goroutine at a time.
type Model struct {
	building *building
	messages *messages // nil: the sender sees to all
	sender   sender
}

// sender brings messages to accumulators.
type sender interface {
	send(ctx context.Context, lanes []*sending) error
	close()
}

// sending is a lane under way: its messages, which are the identity of Reduce where nobody sends.
type sending struct {
	*Lane
	messages vector.Column
}

// building is what forms are built with; what is made later than others asks it again.
type building struct {
	*Plan
	n       int
	edges   Edges
	runtime *ort.Runtime
	options ort.Options
	take    func(bytes uint64) error
}

func (b *building) setting() blockwise.Setting {
	return blockwise.Setting{Runtime: b.runtime, Options: b.options, Provider: b.size.Facts.Provider,
		Threads: b.size.Threads}
}

// Build makes a matrix of edges over n vertices, at most the plan's N. Before it allocates what the
// plan did not foretell it asks take; nil: there is no bound.
func (p *Plan) Build(r *ort.Runtime, o ort.Options, n int, edges Edges, take func(bytes uint64) error) (*Model, error) {
	if take == nil {
		take = func(uint64) error { return nil }
	}
	if n == 0 {
		return &Model{sender: nothing{}}, nil
	}
	o.Threads = 1 // blocks are what threads share
	m := &Model{building: &building{p, n, edges, r, o, take}}
	var err error
	if p.shape.Fused {
		if m.messages, err = newMessages(p, n); err != nil {
			return nil, err
		}
		m.building.edges = m.messages.watch(edges)
	}
	m.sender, err = p.form.build(m.building)
	return m, err
}

// Send sets the accumulators of each lane to what its senders send.
func (m *Model) Send(ctx context.Context, lanes []Lane) error {
	under := make([]*sending, len(lanes))
	for i := range lanes {
		clear(lanes[i].Left)
		under[i] = &sending{Lane: &lanes[i]}
		if m.messages != nil {
			under[i].messages = m.messages.of(i, &lanes[i])
		}
	}
	return m.sender.send(ctx, under)
}

// nothing is sent where there are no vertices.
type nothing struct{}

func (nothing) send(context.Context, []*sending) error { return nil }

func (nothing) close() {}

// Close frees the matrix.
func (m *Model) Close() { m.sender.close() }
