package networks

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Halves has the device compute each half of the stages of the built-in models by itself: all that it reads is what
// dataflow.Evaluate says, and so must be what it leaves.
func Halves(t *testing.T, device plugins.Device) {
	if d := drive.Describe(t, device); extension.Lacks(d, plugins.ExtensionHalves) {
		t.Skip("the device computes no halves of neural networks")
	}
	for _, name := range neural.Names() {
		t.Run(name, func(t *testing.T) {
			r := testseed.Rand(t)
			for _, rows := range []bool{false, true} {
				w := newNetworkWork(t, r, name)
				err := w.runHalves(t, r, device, rows)
				switch {
				case plugins.KindOf(err) == plugins.KindUnsupported && rows:
					t.Skip(err)
				case plugins.KindOf(err) == plugins.KindUnsupported:
					t.Logf("rows alone: %v", err)
				case err != nil:
					t.Fatal(err)
				}
			}
		})
	}
}

// TryHalves has the device compute those halves of some network that look at no edges. An error is the device's.
func TryHalves(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	return newNetworkWork(t, r, "mlp").runHalves(t, r, device, true)
}

// halvesWork is a network in halves, and where what they leave lies.
type halvesWork struct {
	*networkWork
	want   map[*dataflow.Value]dataflow.Matrix
	places map[*dataflow.Value][]float32
	half   [2][]dataflow.Half // once, and each time
}

// runHalves computes half by half; rows: those alone that look at no edges.
func (w *networkWork) runHalves(t *testing.T, r *rand.Rand, device plugins.Device, rows bool) error {
	t.Helper()
	h, n := &halvesWork{networkWork: w, places: map[*dataflow.Value][]float32{}}, w.graph.N()
	single(w.data)
	var err error
	if h.want, err = dataflow.Evaluate(w.values, w.data); err != nil {
		return err
	}
	s := dataflow.NewSchedule(dataflow.Order(w.values, w.roots...), w.roots...)
	h.half = [2][]dataflow.Half{dataflow.Halves(s.Once), dataflow.Halves(s.Epoch)}
	a := &networkArena{}
	task := w.task(a)
	numbers := 0
	for _, v := range plugins.HalfResults(h.half[0], h.half[1]) {
		numbers += len(h.want[v].Of)
	}
	at := a.place(4 * numbers)
	task.Network.Passes[0].At = at
	task.Network.Halves = &plugins.Halves{Each: uint64(1 + r.IntN(n+1)), Rows: rows}
	for end, name := range []string{dataflow.AtTarget: neural.InputInDegree, dataflow.AtSource: neural.InputOutDegree} {
		task.Network.Halves.Degrees[end] = a.floats(floats32(w.data.Inputs[name].Of))
	}
	talk, memory, plan, err := w.openHalves(t, r, device, a, task)
	if err != nil {
		return err
	}
	if !plan.Halves {
		t.Errorf("the plan does not say Halves")
	}
	all, err := memory.Float32s(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range plugins.HalfResults(h.half[0], h.half[1]) {
		h.places[v], all = all[:len(h.want[v].Of)], all[len(h.want[v].Of):]
	}
	for k, halves := range h.half {
		for i := range halves {
			if halves[i].Sparse() && rows {
				continue
			}
			piece := plugins.Piece{Once: k == 0, Stage: uint32(i)}
			if err := h.compute(t, talk, &halves[i], piece, task.Network.Halves.Intervals(uint64(n))); err != nil {
				return err
			}
		}
	}
	talk.Finish()
	return nil
}

// compute has the device compute a half of what the oracle says, and compares.
func (h *halvesWork) compute(t *testing.T, talk *drive.Dialog, half *dataflow.Half, piece plugins.Piece,
	intervals int) error {
	t.Helper()
	for v, to := range h.places {
		copy(to, floats32(h.want[v].Of))
	}
	for _, v := range half.Results() {
		for i := range h.places[v] {
			h.places[v][i] = float32(math.NaN())
		}
	}
	for i := range intervals {
		piece.Interval = uint32(i)
		if _, err := talk.Exchange(plugins.Command{Op: plugins.Rows, Seed: h.data.Dropout.Seed,
			Epoch: uint32(h.data.Dropout.Epoch), Piece: piece}); err != nil {
			return err
		}
	}
	for _, v := range half.Results() {
		scale := 1.0
		for _, x := range h.want[v].Of {
			scale = max(scale, math.Abs(x))
		}
		for i, x := range h.want[v].Of {
			if got := float64(h.places[v][i]); math.Abs(got-x) > singleTolerance*scale || math.IsNaN(got) {
				t.Fatalf("half %+v: %v: number %d is %v, not %v", piece, v, i, got, x)
			}
		}
	}
	return nil
}

// openHalves opens a session with the lists that its plan asks for.
func (w *networkWork) openHalves(t *testing.T, r *rand.Rand, device plugins.Device, a *networkArena,
	task plugins.Task) (*drive.Dialog, *arena.Arena, plugins.Plan, error) {
	t.Helper()
	stored, slot := drive.Chunks{}, 0
	for _, d := range drawn.DirectionsOf(w.graph) {
		stored[d] = drive.Encode(t, r, w.graph, d, drive.Partition{Rows: 2, Cols: 1}, drawn.EdgeColumns(w.graph))
		for _, c := range stored[d] {
			slot = max(slot, len(c.Bytes))
		}
	}
	at := a.place(slot)
	memory, err := arena.Create(a.end)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { memory.Close() })
	for _, write := range a.writes {
		if err := write(memory); err != nil {
			t.Fatal(err)
		}
	}
	session, err := device.Open(t.Context(), plugins.Job{Arena: memory, Graph: plugins.Graph{Name: "plugintest",
		Snapshot: 1, Vertices: uint64(w.graph.N()), Edges: drawn.EdgeCount(w.graph), Directed: w.graph.Directed}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	plan, err := session.Compile(t.Context(), task)
	if err != nil {
		return nil, nil, plan, err
	}
	talk := drive.Converse(t.Context(), t, session, 0)
	if _, err := talk.Exchange(plugins.Command{Op: plugins.Init}); err != nil {
		return nil, nil, plan, err
	}
	number := uint32(0)
	for _, d := range plan.Directions {
		for _, c := range stored[d] {
			place := arena.Range{Offset: at.Offset, Length: uint64(len(c.Bytes))}
			to, err := memory.Bytes(place)
			if err != nil {
				t.Fatal(err)
			}
			copy(to, c.Bytes)
			if _, err := talk.Exchange(plugins.Command{Op: plugins.Upload, Chunk: number, At: place},
				plugins.Command{Op: plugins.Step, Chunk: number}, plugins.Command{Op: plugins.Evict, Chunk: number}); err != nil {
				return nil, nil, plan, err
			}
			number++
		}
	}
	_, err = talk.Exchange(plugins.Command{Op: plugins.Apply})
	return talk, memory, plan, err
}

func floats32(numbers []float64) []float32 {
	all := make([]float32, len(numbers))
	for i, x := range numbers {
		all[i] = float32(x)
	}
	return all
}
