package refusals

import (
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Budget looks for the least budget with which a run succeeds. On the way there,
// every run either keeps to its budget and is right or fails with KindBudget.
func Budget(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	b := budgetTest{device: device, seed: r.Uint64(), graph: drawn.DenseGraph(r, 300, 2400)}
	b.program = trial.Sample(t, r, device, b.graph, 2)
	var err error
	if b.want, _, err = algorithms.RunProgram(b.graph, b.program); err != nil {
		t.Fatal(err)
	}
	whole := b.least(t, drive.Modes[1])
	if streamed := b.least(t, drive.Modes[3]); streamed > whole {
		t.Errorf("a streamed run takes at least %d bytes; with all chunks at once it takes %d", streamed, whole)
	}
}

type budgetTest struct {
	device  plugins.Device
	seed    uint64
	graph   *algorithms.Graph
	program *algorithms.Program
	want    []algorithms.Values
}

// least is the least budget with which m succeeds. A device that does not stream needs 0.
func (b budgetTest) least(t *testing.T, m drive.Mode) uint64 {
	t.Helper()
	fixed, peak, ok := b.unbounded(t, m)
	if !ok {
		return 0
	}
	least := uint64(sort.Search(int(peak), func(budget int) bool {
		m.Budget = uint64(max(budget, 1))
		return b.fits(t, m)
	}))
	if least <= fixed {
		t.Errorf("%s: succeeds with %d bytes, although the plan takes %d without any chunk", m.Name, least, fixed)
	}
	if m.Budget = peak; !b.fits(t, m) {
		t.Errorf("%s: fails with a budget of %d bytes, its own peak", m.Name, peak)
	}
	return least
}

// unbounded tells what a run takes when it may take all it wants.
func (b budgetTest) unbounded(t *testing.T, m drive.Mode) (fixed, peak uint64, streams bool) {
	t.Helper()
	rig, err := drive.Open(t, b.cuts(), b.device, b.graph, drive.ProgramWork(t, b.graph, b.program), m)
	if err != nil {
		t.Fatalf("%s, no budget: %v", m.Name, err)
	}
	defer rig.Close()
	if _, err = rig.Run(); m.Streamed && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		return 0, 0, false
	}
	if err != nil {
		t.Fatalf("%s, no budget: %v", m.Name, err)
	}
	fixed, peak = rig.Plan.Fixed, rig.Talk.Peak
	if state := uint64(b.graph.N()) * 8; peak < fixed || fixed < state {
		t.Errorf("%s: a peak of %d, %d of it fixed; the state alone takes %d", m.Name, peak, fixed, state)
	}
	return fixed, peak, true
}

// fits tells whether a run succeeds; dialog.check sees to the peaks.
func (b budgetTest) fits(t *testing.T, m drive.Mode) bool {
	t.Helper()
	got, err := trial.RunProgram(t, b.cuts(), b.device, b.graph, b.program, m)
	if err == nil {
		err = trial.Differs(b.graph, got.Values, b.want, trial.Nearly)
	} else if plugins.KindOf(err) == plugins.KindBudget {
		return false
	}
	if err != nil {
		t.Errorf("%s with a budget of %d: %v", m.Name, m.Budget, err)
	}
	return true
}

// cuts makes the same chunks every time.
func (b budgetTest) cuts() *rand.Rand { return rand.New(rand.NewPCG(b.seed, 2)) }
