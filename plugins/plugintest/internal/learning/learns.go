package learning

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/kept"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// learned is what learning from ratings came to.
type learned struct {
	rows   []float32            // of all vertices
	end    []float32            // a row that is of none
	named  map[string][]float32 // all rows, these among them
	epochs []plugins.Epoch
	work   []plugins.Work
	kept   []byte
}

// inOne has a graph come in one chunk.
var inOne = drive.Partition{Rows: 1, Cols: 1}

const (
	learnedRank   = 2
	learnedEpochs = 12
)

// ratings is a bipartite graph: 40 users, from whom edges lead to some of 12 items, with a rating that two factors of
// both ends make.
func ratings(r *rand.Rand) *algorithms.Graph {
	const users, items = 40, 12
	factors := make([]float64, users+items)
	for i := range factors {
		factors[i] = 1 + r.Float64()
	}
	var edges []algorithms.Edge
	for u := range users {
		for _, v := range r.Perm(items)[:6] {
			e := drawn.NewEdge(r, u, users+v)
			e.Weights[drawn.Weight] = factors[u] * factors[users+v]
			edges = append(edges, e)
		}
	}
	ids := make([]int64, users+items)
	for i := range ids {
		ids[i] = int64(i)
	}
	return drawn.NewGraph(true, ids, edges)
}

// lesson is what a device is to learn from ratings, by two workers in step where nothing else is said.
type lesson struct {
	name string
	rows []algorithms.Rows // the first are the factors
	args algorithms.Args
	// given are the rows that are.
	given map[string][]float32
	from  []byte // what an earlier session has kept; not nil: the device is to stop for that to be kept
}

// factorization is the lesson of mf.
func factorization() lesson {
	return lesson{name: "mf", rows: []algorithms.Rows{{Name: "factors", Width: 1 + learnedRank}},
		args: algorithms.Args{Directed: true, Strings: map[string]string{"label": drawn.Weight},
			Floats: map[string]float64{"rate": 0.1, "l2": 0.1, "learned": 1},
			Ints: map[string]int64{"rank": learnedRank, "epochs": learnedEpochs, "workers": 2, "slack": 0, "batch": 20,
				"seed": 7}}}
}

// with changes a number of the lesson.
func (l lesson) with(name string, to int64) lesson {
	l.args.Ints = maps.Clone(l.args.Ints)
	l.args.Ints[name] = to
	return l
}

// rig is a session of a device that is to learn; with a crew, of one of several processes that do so together. An error
// is the device's.
func (of lesson) rig(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p drive.Partition,
	crew *drive.Rig) (*drive.Rig, error) {
	t.Helper()
	w := drive.ProcedureWork(&algorithms.Algorithm{Name: of.name, Procedure: &algorithms.Procedure{}}, of.args)
	w.Edges, w.Rows = []string{drawn.Weight}, of.rows
	rig, err := drive.Open(t, r, device, g, w, drive.Mode{Name: "learning", Partition: p, Crew: crew})
	if err == nil && !rig.Plan.Learns {
		err = plugins.Errorf(plugins.KindUnsupported, "the plan does not say Learns")
	}
	return rig, err
}

// learn has a device learn. An error is the device's.
func (of lesson) learn(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph,
	p drive.Partition) (l learned, err error) {
	t.Helper()
	with := of
	if of.from != nil {
		with.rows = append(slices.Clone(of.rows), algorithms.Rows{Name: kept.Row, Width: 1 << 14, Once: true, Kept: true})
	}
	rig, err := with.rig(t, r, device, g, p, nil)
	if err != nil {
		return l, err
	}
	defer rig.Close()
	rig.Begin(t.Context())
	if err := rig.UploadAll(); err != nil {
		return l, err
	}
	var row []byte
	if of.from != nil {
		if row, err = rig.State.Arena.Bytes(rig.Task.Layout.Rows[len(of.rows)].Range); err != nil {
			return l, err
		}
		copy(row, of.from)
	}
	named, err := of.fill(rig)
	if err != nil {
		return l, err
	}
	answers, err := rig.Talk.Exchange(plugins.Command{Op: plugins.Call})
	if err != nil {
		return l, err
	}
	l = of.learned(named, answers[0])
	l.kept = slices.Clone(row)
	return l, nil
}

// fill writes the rows that are given, and has all of them, as the device does.
func (of lesson) fill(rig *drive.Rig) (named map[string][]float32, err error) {
	named = map[string][]float32{}
	for i, each := range of.rows {
		numbers, err := rig.State.Arena.Float32s(rig.Task.Layout.Rows[i].Range)
		if err != nil {
			return nil, err
		}
		copy(numbers, of.given[each.Name])
		named[each.Name] = numbers
	}
	return named, nil
}

// learned is what has come of it, by rows as they are now and what a device has answered.
func (of lesson) learned(named map[string][]float32, a drive.Answer) learned {
	now := map[string][]float32{}
	for name, numbers := range named {
		now[name] = slices.Clone(numbers)
	}
	return learned{rows: now[of.rows[0].Name], end: now["end"], named: now, epochs: a.Epochs, work: a.Work}
}

// TryLearning has the device learn from ratings. An error is the device's.
func TryLearning(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	_, err := factorization().learn(t, r, device, ratings(r), inOne)
	return err
}

// testKept has the device stop after each epoch, as often as it likes, and another session go on from what it has left:
// to the same bits.
func testKept(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, want learned) {
	t.Helper()
	got := learned{kept: []byte{}}
	for stops := 0; ; stops++ {
		l := factorization()
		l.from = got.kept
		var err error
		if got, err = l.learn(t, r, device, g, inOne); err != nil {
			t.Fatal(err)
		}
		epochs, _, err := kept.Open(got.kept)
		if err != nil {
			t.Fatal(err)
		}
		if epochs == 0 {
			break
		}
		if epochs <= stops || epochs >= learnedEpochs || len(got.epochs) != epochs || len(got.work) > 0 {
			t.Fatalf("stop %d is after epoch %d; it told of %d epochs and %d workers", stops+1, epochs, len(got.epochs),
				len(got.work))
		}
	}
	if !slices.Equal(got.rows, want.rows) || len(got.work) != len(want.work) {
		t.Error("other bits where it goes on from what was kept")
	}
	for i, e := range got.epochs {
		if e != want.epochs[i] {
			t.Errorf("it told of %+v, and of %+v where it was not interrupted", e, want.epochs[i])
		}
	}
}

// Learns has the device learn rows from ratings, in whatever chunks they come: it tells of each epoch, in which the
// loss falls, and of work that goes along every edge; workers in step always learn the same bits.
func Learns(t *testing.T, device plugins.Device) {
	if d := drive.Describe(t, device); extension.Lacks(d, plugins.ExtensionLearns) {
		t.Skip("the device learns no rows")
	}
	r := testseed.Rand(t)
	g := ratings(r)
	first, err := factorization().learn(t, r, device, g, inOne)
	if plugins.KindOf(err) == plugins.KindUnsupported {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(first.epochs) != learnedEpochs || len(first.work) != 2 {
		t.Fatalf("it told of %d epochs and %d workers", len(first.epochs), len(first.work))
	}
	for i, e := range first.epochs {
		if e.Number != i+1 || !(e.Loss >= 0) {
			t.Errorf("epoch %d: %+v", i+1, e)
		}
	}
	if last := first.epochs[learnedEpochs-1].Loss; last > first.epochs[0].Loss/4 {
		t.Errorf("the loss went from %v to %v", first.epochs[0].Loss, last)
	}
	edges, masters := uint64(0), uint64(0)
	for _, w := range first.work {
		edges, masters = edges+w.Edges, masters+w.Masters
		if w.Clocks < learnedEpochs || w.Mirrors == 0 {
			t.Errorf("a worker did %+v", w)
		}
	}
	if edges != learnedEpochs*drawn.EdgeCount(g) || masters != drawn.Linked(g)-40 {
		t.Errorf("%d edges were gone along, and %d rows are masters'", edges, masters)
	}
	if slices.ContainsFunc(first.rows, func(x float32) bool { return math.IsNaN(float64(x)) }) ||
		!slices.ContainsFunc(first.rows, func(x float32) bool { return x != 0 }) {
		t.Error("the rows are no numbers, or all 0")
	}
	again, err := factorization().learn(t, r, device, g, drive.Partition{Rows: 5, Cols: 1, Whole: true})
	if err != nil || !slices.Equal(again.rows, first.rows) {
		t.Errorf("other bits where chunks are cut otherwise, or %v", err)
	}
	testKept(t, r, device, g, first)
	t.Run("timeline", func(t *testing.T) { testTimeline(t, r, device, g, first) })
	t.Run("cuts", func(t *testing.T) { testCuts(t, device) })
	t.Run("als", func(t *testing.T) { testAlternation(t, device) })
	t.Run("als-implicit", func(t *testing.T) { testPreferences(t, device) })
	t.Run("linear", func(t *testing.T) { testRegression(t, device) })
	t.Run("lda", func(t *testing.T) { testTopics(t, device) })
}
