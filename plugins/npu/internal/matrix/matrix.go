// Package matrix makes the edges of resident chunks a matrix for ONNX Runtime, and brings messages through it:
//
//	New      program, number of linked vertices ──▶ Maker, and what its matrix takes   (maker.go, fits.go)
//	Inherit  what an earlier session left ──▶ Maker                                    (legacy.go)
//	Of       chunks ──linked vertices──▶ Matrix, unless there is one of the same       (build.go)
//	Send     state, senders ──Matrix──▶ accumulators of the linked vertices            (matrix.go)
//	Leave    Matrix ──▶ the next session                                               (legacy.go)
package matrix

import (
	"context"
	"strings"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
	"github.com/penstock-db/penstock/plugins/npu/internal/lane"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// Matrix is the edges of some chunks as the runtime takes them, and vectors of the vertices that are linked, for each
// lane.
type Matrix struct {
	Edges uint64 // of all chunks

	chunks  edges.Chunks // of which it was made
	numbers *edges.Compaction
	model   *model.Model // nil: no vertex is linked
	vectors []model.Lane
	more    uint64 // bytes beyond what the plan foretold
}

// Linked are the graph's numbers of the vertices that the matrix has, in its order.
func (m *Matrix) Linked() []uint32 { return m.numbers.IDs }

// Send has vertices send, some of each lane. What comes of it is in the vectors.
func (m *Matrix) Send(ctx context.Context, lanes []*lane.Lane, senders ...[]uint64) error {
	if m.model == nil {
		return nil
	}
	for i, l := range lanes {
		m.gather(m.vectors[i], l, senders[i])
	}
	return m.model.Send(ctx, m.vectors)
}

// Unroll does several steps of a lane in one run of the runtime, if the form of the matrix has that: after each, step
// gets what has come, and says whether the next is wanted. It is false where nothing was done.
func (m *Matrix) Unroll(ctx context.Context, l *lane.Lane, step func(came model.Lane) (more bool)) (bool, error) {
	if m.model == nil {
		return false, nil
	}
	v := m.vectors[0]
	m.gather(v, l, l.Active)
	return m.model.Unroll(ctx, v, func() bool { return step(v) })
}

// Came is what a lane's vertices have been sent.
func (m *Matrix) Came(lane int) model.Lane { return m.vectors[lane] }

// gather takes what Process reads, the state that a message must better, and the senders.
func (m *Matrix) gather(v model.Lane, l *lane.Lane, senders []uint64) {
	for name, values := range v.Columns {
		_, column, _ := strings.Cut(name, ".")
		values.Gather(l.Columns[column], m.Linked())
	}
	if shape.Improves(l.Spec) {
		v.State.Gather(l.State[0], m.Linked())
	}
	clear(v.Senders)
	for i, id := range m.Linked() {
		if bitmap.Has(senders, int(id)) {
			v.Senders[i/64] |= 1 << (i % 64)
		}
	}
}

// Later has the vertices of a lane that were left send later.
func (m *Matrix) Later(lane int, later []uint64) {
	for i := range bitmap.Members(m.vectors[lane].Left) {
		v := m.Linked()[i]
		later[v/64] |= 1 << (v % 64)
	}
}
