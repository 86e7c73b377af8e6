package matrix

import (
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
	"github.com/penstock-db/penstock/plugins/npu/model"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Runtime is what matrices are computed on.
type Runtime struct {
	Library *ort.Runtime
	Options ort.Options
	Threads int
	Paper   bool // by the paper's operators as they are
}

// Task is what matrices are made for.
type Task struct {
	Spec     *algorithms.Program
	Vertices int
	Lanes    int
	Later    bool // messages may be sent later than their iteration
}

// Maker makes the matrix of a session, one at a time, within its budget.
type Maker struct {
	on     Runtime
	budget *kit.Budget
	task   Task

	plan   *model.Plan
	linked int  // how many vertices have an edge, at most
	grown  bool // more were linked than the plan was told

	made    *Matrix // nil: none is
	earlier *Legacy // a matrix such as this program's, until it is seen whether it is of the same chunks; nil: none
	spent   time.Duration
}

// New plans a matrix of so many linked vertices, and allocates nothing.
func New(on Runtime, budget *kit.Budget, task Task, linked int) (*Maker, error) {
	m := &Maker{on: on, budget: budget, task: task}
	return m, m.size(linked)
}

// size plans a matrix of so many linked vertices.
func (m *Maker) size(linked int) (err error) {
	m.linked = linked
	m.plan, err = model.For(m.task.Spec, model.Size{N: linked, Lanes: m.task.Lanes, Threads: m.on.Threads,
		Facts: m.on.Options.Provider.Facts(), Paper: m.on.Paper})
	return err
}

// grow is for a session that is given more chunks than it was told of, another's for instance.
func (m *Maker) grow(linked int) error {
	if linked <= m.linked {
		return nil
	}
	before := m.Bytes()
	m.grown = true
	if err := m.size(linked); err != nil {
		return err
	}
	return m.budget.Take(m.Bytes()-before, "a matrix of more vertices than were announced")
}

// Bytes is what matrix, vectors and compaction take.
func (m *Maker) Bytes() uint64 { return m.Kept() + uint64(m.task.Lanes)*m.vectorBytes() }

// Kept is what stays for the next session.
func (m *Maker) Kept() uint64 { return m.plan.Bytes + edges.CompactionBytes(m.task.Vertices, m.linked) }

// Kernel says how messages are computed, for the report.
func (m *Maker) Kernel() string { return m.plan.Kernel }

// Converted is how long matrices have taken to make.
func (m *Maker) Converted() time.Duration { return m.spent }

// vectors are those of a lane for n linked vertices.
func (m *Maker) vectors(n int) model.Lane {
	accType := shape.Type(m.task.Spec.Process.Checked)
	v := model.Lane{Columns: map[string]vector.Column{}, Senders: make([]uint64, bitmap.Words(n)),
		Acc: vector.Make(accType, n)}
	for _, in := range m.plan.Inputs {
		v.Columns[in.Name] = vector.Make(in.Type, n)
	}
	if m.task.Later {
		v.Left = make([]uint64, bitmap.Words(n))
	}
	if shape.Improves(m.task.Spec) {
		v.State = vector.Make(accType, n)
	}
	return v
}

// vectorBytes is what vectors takes of as many vertices as are linked.
func (m *Maker) vectorBytes() uint64 {
	n := uint64(m.linked)
	bytes := 16*uint64(bitmap.Words(m.linked)) + 2*n*kit.Width(shape.Type(m.task.Spec.Process.Checked))
	for _, in := range m.plan.Inputs {
		bytes += n * kit.Width(in.Type)
	}
	return bytes
}
