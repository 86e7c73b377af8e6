// Package lane is the state of a program with one set of constants, and what is computed of it a vertex at a time,
// exactly as on any processor:
//
//	Start     id, degrees ──▶ state columns, first active set      (apply.go)
//	Turn      accumulators ──▶ state columns, next active set      (apply.go)
//	Depart, Take, Gather, Deliver   for some vertices              (some.go)
//
// Matrices see to the messages in between, those of all lanes at once.
package lane

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Lane is the state of a program with one set of constants.
type Lane struct {
	Spec    *algorithms.Program
	Columns vector.Columns // inputs and state, in the arena
	State   []vector.Column
	AccType algorithms.Type
	Acc     vector.Column // what has come since the last Apply
	Active  []uint64      // the vertices that send next
	Left    []uint64      // the vertices that send later; nil, unless messages may be sent later than their iteration
	Change  float64       // of the last Apply, by the program's norm

	n    int
	code code
}

// New makes a lane of n vertices, with the columns as they are called in the program. It allocates registers only.
func New(spec *algorithms.Program, found kit.Columns, active []uint64, n int) (*Lane, error) {
	if err := found.Require(algorithms.VertexColumns(spec)...); err != nil {
		return nil, err
	}
	l := &Lane{Spec: spec, Columns: vector.Views(found), AccType: shape.Type(spec.Process.Checked), Active: active, n: n}
	for _, s := range spec.State {
		l.State = append(l.State, l.Columns[s.Name])
	}
	var err error
	l.code, err = compile(spec, l.Columns, l.AccType, &l.Acc, n)
	return l, err
}

// Bytes is what Allocate takes and the machines hold, but for bitmaps.
func (l *Lane) Bytes() uint64 { return uint64(l.n)*kit.Width(l.AccType) + l.code.bytes() }

// BitmapBytes is what an active set, or Left, takes.
func (l *Lane) BitmapBytes() uint64 { return 8 * uint64(bitmap.Words(l.n)) }

// Allocate makes what the budget was asked for: accumulators; an active set of its own, beside the one that all lanes
// have together; and a set of vertices that send later.
func (l *Lane) Allocate(own, later bool) {
	l.Acc = vector.Make(l.AccType, l.n)
	if own {
		l.Active = make([]uint64, bitmap.Words(l.n))
	}
	if later {
		l.Left = make([]uint64, bitmap.Words(l.n))
	}
}

// Forget empties the accumulators.
func (l *Lane) Forget() { l.Acc.Fill(vector.Identity(l.Spec.Reduce, l.AccType)) }

// Settled tells whether nothing more will change, after so many iterations.
func (l *Lane) Settled(iteration int) bool {
	return activity.Settled(l.Spec, l.n, iteration, bitmap.Count(l.Active), l.Change)
}
