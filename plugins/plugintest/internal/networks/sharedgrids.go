package networks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// sharer is one of several sessions that compute a network by turns, interval by interval.
type sharer struct {
	network *plugins.Network
	talk    *drive.Dialog
}

// testSharedGrids has several sessions compute the network by turns: sums go from one to the next, and around. Rows and
// sums have the bits that one session has with the same intervals and cells.
func (w *networkWork) testSharedGrids(t *testing.T, r *rand.Rand, device plugins.Device) {
	t.Helper()
	for range 2 {
		g, end, err := w.openShared(t, r, device, 2+r.IntN(2))
		if plugins.KindOf(err) == plugins.KindUnsupported {
			t.Logf("intervals are not shared: %v", err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		cuts := r.Uint64()
		all := g.shared
		g.shared = nil
		alone, err := g.pass(cuts, true)
		if err != nil {
			t.Fatal(err)
		}
		clear(g.rows)
		g.shared = all
		together, err := g.pass(cuts, true)
		if err == nil && !bytes.Equal(alone, together) {
			t.Errorf("%d sessions have other bits than one", len(all))
		}
		if err != nil {
			t.Fatal(err)
		}
		if again, err := g.pass(cuts, false); err != nil || !bytes.Equal(together, again) {
			t.Errorf("%d sessions have other bits when they compute the same pass again, or %v", len(all), err)
		}
		w.compare(t, r)
		g.talk.Finish()
		for _, each := range all {
			each.talk.Finish()
		}
		end()
	}
}

// openShared has a session begin with the network alone, and others with it together.
func (w *networkWork) openShared(t *testing.T, r *rand.Rand, device plugins.Device, sessions int) (g *gridWork,
	end func(), err error) {
	t.Helper()
	w.sessions = sessions
	g, end, err = w.openGrid(t, r, device)
	if w.sessions = 0; err != nil {
		return nil, nil, err
	}
	var open []plugins.Session
	close := end
	end = func() {
		for _, session := range open {
			session.Close()
		}
		close()
	}
	for _, each := range g.shared {
		session, err := device.Open(t.Context(), plugins.Job{Arena: g.memory, Graph: plugins.Graph{Name: "plugintest",
			Snapshot: 1, Vertices: uint64(w.graph.N()), Edges: drawn.EdgeCount(w.graph), Directed: w.graph.Directed}})
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, session)
		plan, err := session.Compile(t.Context(), plugins.Task{Network: each.network})
		if err == nil && (!plan.Networks || !plan.Grid) {
			err = fmt.Errorf("the plan does not say Networks and Grid: %+v", plan)
		}
		if err == nil {
			each.talk = drive.Converse(t.Context(), t, session, 0)
			_, err = each.talk.Exchange(plugins.Command{Op: plugins.Init})
		}
		if err != nil {
			end()
			return nil, nil, err
		}
	}
	return g, end, nil
}

// placeShared places what each of several sessions has for itself.
func (g *gridWork) placeShared(a *networkArena, regions func(*plugins.Grid)) {
	sums := 0
	schedule := dataflow.NewSchedule(g.values, g.roots...)
	for _, stages := range [][]dataflow.Stage{schedule.Once, schedule.Epoch} {
		for _, stage := range grid.Stages(stages) {
			sums = max(sums, addedBytes(&stage))
		}
	}
	for range g.sessions {
		network, own := *g.network, *g.network.Grid
		own.Shared, network.Grid = true, &own
		regions(&own)
		if sums > 0 {
			own.Sums = a.place(sums)
		}
		g.shared = append(g.shared, &sharer{network: &network})
	}
}

// addedBytes is what a stage adds up.
func addedBytes(stage *grid.Stage) int { return 4 * stage.AddedNumbers() }

// sharedStage takes all intervals through a stage, each by the session whose turn it is.
func (g *gridWork) sharedStage(r *rand.Rand, stage *grid.Stage, command plugins.Command) error {
	own, talk := g.network, g.talk
	defer func() { g.network, g.talk = own, talk }()
	size, last := addedBytes(stage), 0
	sums := make([][]byte, len(g.shared))
	for i, each := range g.shared {
		region, err := g.memory.Bytes(each.network.Grid.Sums)
		if err != nil {
			return err
		}
		sums[i] = region[:size]
	}
	clear(sums[0])
	for i := range g.network.Grid.Intervals(stage.End) {
		now := i % len(g.shared)
		g.network, g.talk = g.shared[now].network, g.shared[now].talk
		command.Piece.Interval = uint32(i)
		if err := g.interval(r, stage, command); err != nil {
			return err
		}
		if size > 0 {
			copy(sums[now], sums[last])
			reduce := command
			reduce.Op, reduce.Piece.Wave = plugins.Reduce, uint32(len(stage.Waves)-1)
			if _, err := g.talk.Exchange(reduce); err != nil {
				return err
			}
		}
		last = now
	}
	command.Op, command.Piece.Interval = plugins.Reduced, 0
	for i, each := range g.shared {
		copy(sums[i], sums[last])
		if _, err := each.talk.Exchange(command); err != nil {
			return err
		}
	}
	return nil
}

// sameParameters has all sessions leave the parameters among the roots, which are the same.
func (g *gridWork) sameParameters(command plugins.Command) error {
	var first []byte
	for i, each := range g.shared {
		if _, err := each.talk.Exchange(command); err != nil {
			return err
		}
		left, err := g.memory.Bytes(g.network.Passes[0].At)
		if err != nil {
			return err
		}
		if i > 0 && !bytes.Equal(first, left) {
			return fmt.Errorf("session %d has other sums than the first", i+1)
		}
		first = bytes.Clone(left)
	}
	return nil
}
