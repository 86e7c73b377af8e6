package instance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// chainOf names a chain of n devices.
func chainOf(n int) string { return strings.Repeat("cpu,", n-1) + "cpu" }

// listed is how many entries the lists of targets have, of a graph with such a table of edges.
func listed(edges string, vertices int, orientation formats.Orientation, selfLoops bool) (entries uint64) {
	loops := uint64(0)
	for _, line := range strings.Split(strings.TrimSpace(edges), "\n")[1:] {
		ends := strings.Split(line, ",")
		if entries++; ends[0] == ends[1] {
			loops++
		} else if orientation == formats.Undirected {
			entries++
		}
	}
	if selfLoops {
		entries += uint64(vertices) - loops
	}
	return entries
}

// Several devices learn what one does, bit for bit, whether they hold their shares or take intervals by turns. Each is
// given the edges to its own vertices and no others, and what travels between them is what lies where says.
func TestTrain_Several(t *testing.T) {
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	models := []neural.Model{}
	for _, name := range neural.Names() {
		model, _ := neural.Lookup(name)
		models = append(models, model)
	}
	orientations := []formats.Orientation{formats.Directed, formats.Undirected}
	for _, model := range long.Draw(t, models, 2) {
		for _, orientation := range long.Draw(t, orientations, 1) {
			t.Run(fmt.Sprintf("%s/%v", model.Name, orientation), func(t *testing.T) {
				vertices := 1100 + r.IntN(300)
				if model.Name == "mlp" { // without edges there are few sections of so few vertices
					vertices *= 3
				}
				nodes, edges := tangled(r, vertices)
				db := loadedTables(t, nodes, edges, LoadOptions{Orientation: orientation})
				request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0.2,0.2", Seed: seed,
					Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
				if r.IntN(2) == 0 {
					request.Features = neural.FeatureSpec{Property: "words", MultiHot: 60}
				}
				if request.Model.Training.Epochs = 2; long.Tests() {
					request.Model.Training.Epochs = 20
				}
				compareSeveral(t, db, request, listed(edges, vertices, orientation, model.SelfLoops),
					long.Draw(t, []int{2, 3, 4}, 1))
			})
		}
	}
}

// compareSeveral trains on one device, and on several.
func compareSeveral(t *testing.T, db *DB, request host.TrainRequest, entries uint64, counts []int) {
	t.Helper()
	train := func(request host.TrainRequest) *host.Trained {
		got, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
		if err != nil {
			t.Fatalf("%s, %d bytes: %v", request.Device, request.DeviceMemory, err)
		}
		return got
	}
	one := train(request)
	for _, n := range counts {
		request.Device, request.DeviceMemory = chainOf(n), 0
		several := train(request)
		checkSeveral(t, one, several, entries, n)
		if several.Report.Pieces != nil {
			t.Errorf("%d devices without bounds get pieces", n)
		}
		if request.DeviceMemory = several.Report.Peak - 1; request.Model.Name == "mlp" {
			continue // it has a section for each device: there are no smaller pieces
		}
		pieces := train(request)
		checkSeveral(t, one, pieces, entries, n)
		if p := pieces.Report.Pieces; p == nil || pieces.Report.Bytes.Transfer != p.Expected {
			t.Errorf("in pieces %+v, but %d bytes came and went", p, pieces.Report.Bytes.Transfer)
		}
		comparePredictions(t, db, one, request.On)
	}
}

// comparePredictions asks one device and several.
func comparePredictions(t *testing.T, db *DB, one *host.Trained, several host.On) {
	t.Helper()
	said := [2]*Predictions{}
	for i, on := range []host.On{{Threads: 1}, several} {
		var err error
		if said[i], err = db.Predict(t.Context(), "g", one.Model, false, on); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(said[0].Rows, said[1].Rows) {
		t.Errorf("another prediction on %s", several.Device)
	}
}

func checkSeveral(t *testing.T, one, several *host.Trained, entries uint64, n int) {
	t.Helper()
	r := several.Report
	if !sameNumbers(one, several) || r.Pieces == nil && r.Loss != one.Report.Loss {
		t.Errorf("%d devices: other parameters than one, or loss %v instead of %v", n, r.Loss, one.Report.Loss)
	}
	if r.Bytes.Exchanged != r.Expected || r.Expected == 0 {
		t.Errorf("%d devices: %d bytes traveled, not %d", n, r.Bytes.Exchanged, r.Expected)
	}
	given, transfer, traveled, busy := uint64(0), uint64(0), uint64(0), 0
	for _, d := range r.Devices {
		given, transfer = given+d.Edges, transfer+d.Transfer
		traveled += d.Pulled + d.Reduced
		if d.Intervals > 0 {
			busy++
		}
		if d.Peak == 0 || d.Peak > r.Peak {
			t.Errorf("%+v", d)
		}
	}
	if several.Model.Architecture.Name == "mlp" {
		entries = 0
	}
	if len(r.Devices) != n || busy < min(n, 3) || given != entries || transfer != r.Bytes.Transfer ||
		traveled != r.Bytes.Exchanged {
		t.Errorf("%d devices have %d edges, of %d; %+v, of %+v", n, given, entries, r.Devices, r.Bytes)
	}
}

// What devices add up goes around in a ring: 2(n-1)/n of the parameters' gradients, and of the loss, for each of n
// devices, in each epoch.
func TestTrain_Ring(t *testing.T) {
	db := tangle(t, rand.New(rand.NewPCG(7, 7)), 1500, formats.Undirected)
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs = 3
	for n := 2; n <= 4; n++ {
		got, err := db.Train(t.Context(), "g", host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0,0.4",
			Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1, Device: chainOf(n)}}, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		sent, sums := uint64(0), 4*uint64(got.Model.Count()+1)
		for _, d := range got.Report.Devices {
			if sent += d.Reduced; d.Reduced > 2*3*sums {
				t.Errorf("of %d devices one passes on %d bytes, more than twice what there is", n, d.Reduced)
			}
		}
		if want := 3 * 2 * uint64(n-1) * sums; sent != want {
			t.Errorf("%d devices passed on %d bytes of sums, not %d", n, sent, want)
		}
	}
}

// A device that dies ends the training with an error that names it. Resumed, training goes on to the same bits.
func TestTrain_SeveralDies(t *testing.T) {
	db := tangle(t, rand.New(rand.NewPCG(8, 8)), 1200, formats.Directed)
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs = 30
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0.2,0.2", Resume: true, CheckpointEvery: 1,
		Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1, Device: chainOf(3)}}
	killSecond(t, db, request, 12)
	resumed, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil || resumed.Report.Resumed < 12 {
		t.Fatalf("%v, %+v", err, resumed)
	}
	request.Resume, request.Device = false, "cpu"
	one, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil || !sameNumbers(one, resumed) {
		t.Errorf("other parameters than of one device in one go, or %v", err)
	}
}

// More devices than there are sections of vertices, or vertices: some have nothing to do.
func TestTrain_MoreDevicesThanVertices(t *testing.T) {
	db := loadedTables(t, ":ID,x:double[],grade:int\n0,1;2,0\n1,2;1,1\n", ":START_ID,:END_ID\n0,1\n", LoadOptions{})
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs = 2
	request := host.TrainRequest{Model: model, Label: "grade", Split: "1,0,0", Features: neural.FeatureSpec{Property: "x"}}
	one, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	request.Device = chainOf(3)
	three, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil || !sameNumbers(one, three) {
		t.Fatalf("other parameters, or %v", err)
	}
	if d := three.Report.Devices; len(d) != 3 || d[0].Vertices != 2 || d[1].Intervals != 0 || d[2].Edges != 0 {
		t.Errorf("%+v", d)
	}
	request.DeviceMemory = 1 << 10
	var full *plugins.Error
	if _, err = db.Train(t.Context(), "g", request, host.TrainEvents{}); !errors.As(err, &full) ||
		full.Kind != plugins.KindBudget || full.Device != "cpu #1" {
		t.Errorf("in too little memory: %v", err)
	}
}

// killSecond kills the second device of a training after an epoch, which the error names.
func killSecond(t *testing.T, db *DB, request host.TrainRequest, epoch int) {
	t.Helper()
	var pids []int
	_, err := db.Train(t.Context(), "g", request, host.TrainEvents{
		Launched: func(l host.Launch) { pids = append(pids, l.PID) },
		Trained: func(e host.TrainingEpoch) {
			if e.Number == epoch {
				syscall.Kill(pids[1], syscall.SIGKILL)
			}
		}})
	var died *plugins.Error
	if !errors.As(err, &died) || died.Kind != plugins.KindDied || died.Device != "cpu #2" {
		t.Fatalf("%v", err)
	}
}
