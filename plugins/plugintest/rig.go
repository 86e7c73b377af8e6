package plugintest

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
)

// rig is a session under test: the graph and the program it is given, and its place in an arena.
type rig struct {
	t       testing.TB
	graph   *algorithms.Graph
	mode    mode
	task    plugins.Task
	session plugins.Session // nil: closed
	plan    plugins.Plan
	stored  chunks    // for any plan
	chunks  []encoded // those that the plan asks for; the index is the number
	room    room
	state   *state
	uploads *uploader
	talk    *dialog
}

// newRig opens a session and compiles the work. An error is the device's; the rig then
// is of no use, and closed.
func newRig(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, w work, m mode) (*rig, error) {
	t.Helper()
	m.mapped = m.mapped && describe(t, device).MapsFiles
	rig := &rig{t: t, graph: g, mode: m, task: w.taskIn(m), stored: store(t, r, g, m, w.edges)}
	rig.room = place(w, uint64(g.N()), m, rig.stored)
	rig.state = &state{t: t, arena: m.arena(), layout: rig.room.layout, results: len(w.results)}
	t.Cleanup(rig.close)
	var err error
	if rig.state.arena == nil {
		if rig.state.arena, err = rig.room.arena(m); err != nil {
			t.Fatal(err)
		}
	}
	if m.part == nil || !m.part.reads {
		rig.state.fill(g, w.properties)
		rig.state.fillVectors(g, w.vectors)
	}
	rig.task.Layout = rig.room.layout
	rig.session, err = device.Open(t.Context(), plugins.Job{
		Arena:  rig.state.arena,
		Budget: m.budget,
		Graph: plugins.Graph{Name: "plugintest", Snapshot: 1, Vertices: uint64(g.N()),
			Edges: edgeCount(g), Directed: g.Directed, Linked: linked(m.mostGiven(g))},
	})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	if rig.plan, err = rig.session.Compile(t.Context(), rig.task); err != nil {
		return rig, err
	}
	if err := checkPlan(t, describe(t, device), rig.task, rig.plan, rig.stored); err != nil {
		return rig, err
	}
	rig.uploads = &uploader{t: t, state: rig.state, mapped: m.mapped, active: m.active, plan: rig.plan,
		among: rig.room.layout.Active}
	if rig.task.Settle {
		rig.uploads.among = rig.room.set
	}
	for _, d := range rig.plan.Directions {
		rig.chunks = append(rig.chunks, rig.stored[d]...)
	}
	return rig, nil
}

// taskIn is the task of some work in a mode.
func (w work) taskIn(m mode) plugins.Task {
	task := w.task
	task.Settle = m.settled && w.task.Program != nil
	task.Nearest = m.nearest && task.Settle
	task.Restorable, task.Share, task.Part = m.restorable, m.share, m.part != nil
	task.Joins = m.joins && task.Share != nil
	task.Intervals = m.intervals
	task.ActiveRows = m.active && w.task.Program != nil
	task.Places = task.ActiveRows
	task.Passes = m.passes && w.task.Program == nil
	return task
}

// checkPlan holds a plan against what the device describes, what the task asks for, and the chunks that there are. An
// error of KindUnsupported says that the device does not settle it.
func checkPlan(t testing.TB, d plugins.Description, task plugins.Task, plan plugins.Plan, stored chunks) error {
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

// chunks are the chunks of a graph by direction.
type chunks map[chunk.Direction][]encoded

// store makes the chunks, or has those of the session before, if they are of the same graph.
func store(t testing.TB, r *rand.Rand, g *algorithms.Graph, m mode, columns []string) chunks {
	if m.crew != nil {
		return m.crew.stored
	}
	if a := m.after; a != nil && a.graph == g {
		return a.stored
	}
	if m.mapped || m.again {
		columns = edgeColumns(g)
	}
	stored := chunks{}
	for _, d := range directionsOf(g) {
		stored[d] = encode(t, r, m.given(g), d, m.partition, columns)
	}
	return stored
}

// size is how many chunks there are, and how many bytes the largest has.
func (c chunks) size() (count int, largest uint64) {
	for _, list := range c {
		count += len(list)
		for _, one := range list {
			largest = max(largest, uint64(len(one.bytes)))
		}
	}
	return count, largest
}

// upload writes chunk i to a place, or a file, and makes the command that tells of it.
func (rig *rig) upload(i int) plugins.Command {
	return rig.uploads.upload(i, rig.chunks[i], rig.room.at[i])
}

// begin starts Execute.
func (rig *rig) begin(ctx context.Context) {
	rig.talk = converse(ctx, rig.t, rig.session, rig.mode.budget)
}

func (rig *rig) closeSession() {
	if rig.session != nil {
		if err := rig.session.Close(); err != nil {
			rig.t.Errorf("Close: %v", err)
		}
		rig.session = nil
	}
}

func (rig *rig) close() {
	rig.closeSession()
	if rig.state.arena != nil && rig.mode.host() == nil {
		rig.state.arena.Close()
	}
	rig.state.arena = nil
	if rig.uploads != nil {
		rig.uploads.close()
	}
}

// check holds an iteration against the active set.
func (rig *rig) check(it plugins.Iteration) {
	rig.t.Helper()
	rig.state.check(it, rig.graph.N(), rig.task.Places && rig.plan.ActiveRows)
}
