package drive

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
)

// Rig is a session under test: the graph and the program it is given, and its place in an arena.
type Rig struct {
	t       testing.TB
	Graph   *algorithms.Graph
	Mode    Mode
	Task    plugins.Task
	session plugins.Session // nil: closed
	Plan    plugins.Plan
	Stored  Chunks    // for any plan
	Chunks  []Encoded // those that the plan asks for; the index is the number
	Room    Room
	State   *State
	Uploads *Uploader
	Talk    *Dialog
}

// Open opens a session and compiles the work. An error is the device's; the rig then
// is of no use, and closed.
func Open(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, w Work, m Mode) (*Rig, error) {
	t.Helper()
	m.Mapped = m.Mapped && Describe(t, device).MapsFiles
	rig := &Rig{t: t, Graph: g, Mode: m, Task: w.taskIn(m), Stored: store(t, r, g, m, w.Edges)}
	rig.Room = Place(w, uint64(g.N()), m, rig.Stored)
	rig.State = &State{T: t, Arena: m.arena(), Layout: rig.Room.Layout, Results: len(w.Results)}
	t.Cleanup(rig.Close)
	var err error
	if rig.State.Arena == nil {
		if rig.State.Arena, err = rig.Room.arena(m); err != nil {
			t.Fatal(err)
		}
	}
	if m.Part == nil || !m.Part.Reads {
		rig.State.fill(g, w.Properties)
		rig.State.fillVectors(g, w.vectors)
	}
	rig.Task.Layout = rig.Room.Layout
	rig.session, err = device.Open(t.Context(), plugins.Job{
		Arena:  rig.State.Arena,
		Budget: m.Budget,
		Graph: plugins.Graph{Name: "plugintest", Snapshot: 1, Vertices: uint64(g.N()),
			Edges: drawn.EdgeCount(g), Directed: g.Directed, Linked: drawn.Linked(m.mostGiven(g))},
	})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	if rig.Plan, err = rig.session.Compile(t.Context(), rig.Task); err != nil {
		return rig, err
	}
	if err := checkPlan(t, Describe(t, device), rig.Task, rig.Plan, rig.Stored); err != nil {
		return rig, err
	}
	rig.Uploads = &Uploader{t: t, state: rig.State, mapped: m.Mapped, active: m.Active, plan: rig.Plan,
		among: rig.Room.Layout.Active}
	if rig.Task.Settle {
		rig.Uploads.among = rig.Room.Set
	}
	for _, d := range rig.Plan.Directions {
		rig.Chunks = append(rig.Chunks, rig.Stored[d]...)
	}
	return rig, nil
}

// taskIn is the task of some work in a mode.
func (w Work) taskIn(m Mode) plugins.Task {
	task := w.Task
	task.Settle = m.Settled && w.Task.Program != nil
	task.Nearest = m.Nearest && task.Settle
	task.Restorable, task.Share, task.Part = m.Restorable, m.Share, m.Part != nil
	task.Joins = m.Joins && task.Share != nil
	task.Intervals = m.Intervals
	task.ActiveRows = m.Active && w.Task.Program != nil
	task.Places = task.ActiveRows
	task.Passes = m.Passes && w.Task.Program == nil
	return task
}

// checkPlan holds a plan against what the device describes, what the task asks for, and the chunks that there are. An
// error of KindUnsupported says that the device does not settle it.
func checkPlan(t testing.TB, d plugins.Description, task plugins.Task, plan plugins.Plan, stored Chunks) error {
	t.Helper()
	for _, e := range extension.All() {
		if extension.Takes(plan, e) && !extension.Asks(task, e) {
			return fmt.Errorf("the plan takes up the extension %s, which the task has not asked for", e)
		}
		if extension.Takes(plan, e) && extension.Lacks(d, e) {
			return fmt.Errorf("the plan takes up the extension %s, which Describe does not name", e)
		}
	}
	if task.Settle && !plan.Settles {
		return plugins.Errorf(plugins.KindUnsupported, "the plan does not say Settles")
	}
	if task.Passes && !plan.Passes {
		return plugins.Errorf(plugins.KindUnsupported, "the plan does not say Passes")
	}
	learned := func(r plugins.VertexRows) bool { return !r.Given }
	if rows := task.Layout.Rows; len(rows) > 0 && !plan.Learns && !slices.ContainsFunc(rows, learned) {
		return errors.New("the plan does not say Learns: it takes up no vectors, which it is given")
	}
	if plan.Passes && !plan.ActiveRows {
		t.Fatalf("the plan says Passes, and not ActiveRows")
	}
	for _, d := range plan.Directions {
		if _, ok := stored[d]; !ok {
			t.Fatalf("the plan asks for chunks of direction %v, which this graph has not", d)
		}
	}
	return nil
}

// Chunks are the chunks of a graph by direction.
type Chunks map[chunk.Direction][]Encoded

// store makes the chunks, or has those of the session before, if they are of the same graph.
func store(t testing.TB, r *rand.Rand, g *algorithms.Graph, m Mode, columns []string) Chunks {
	if m.Crew != nil {
		return m.Crew.Stored
	}
	if a := m.After; a != nil && a.Graph == g {
		return a.Stored
	}
	if m.Mapped || m.Again {
		columns = drawn.EdgeColumns(g)
	}
	stored := Chunks{}
	for _, d := range drawn.DirectionsOf(g) {
		stored[d] = Encode(t, r, m.Given(g), d, m.Partition, columns)
	}
	return stored
}

// Size is how many chunks there are, and how many bytes the largest has.
func (c Chunks) Size() (count int, largest uint64) {
	for _, list := range c {
		count += len(list)
		for _, one := range list {
			largest = max(largest, uint64(len(one.Bytes)))
		}
	}
	return count, largest
}

// Upload writes chunk i to a place, or a file, and makes the command that tells of it.
func (rig *Rig) Upload(i int) plugins.Command {
	return rig.Uploads.Upload(i, rig.Chunks[i], rig.Room.At[i])
}

// Begin starts Execute.
func (rig *Rig) Begin(ctx context.Context) {
	rig.Talk = Converse(ctx, rig.t, rig.session, rig.Mode.Budget)
}

// CloseSession ends the session; its arena stays, for others.
func (rig *Rig) CloseSession() {
	if rig.session != nil {
		if err := rig.session.Close(); err != nil {
			rig.t.Errorf("Close: %v", err)
		}
		rig.session = nil
	}
}

// Close ends the session, and its arena if that is its own.
func (rig *Rig) Close() {
	rig.CloseSession()
	if rig.State.Arena != nil && rig.Mode.host() == nil {
		rig.State.Arena.Close()
	}
	rig.State.Arena = nil
	if rig.Uploads != nil {
		rig.Uploads.close()
	}
}

// Check holds an iteration against the active set.
func (rig *Rig) Check(it plugins.Iteration) {
	rig.t.Helper()
	rig.State.check(it, rig.Graph.N(), rig.Task.Places && rig.Plan.ActiveRows)
}
