package instance

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// dropping is a model that drops at vertices and at edges.
var dropping = neural.Model{Name: "dropping", Sizes: map[string]int{"hidden": 6}, SelfLoops: true, Layers: []neural.Layer{
	{Edge: "dropout(relu(dst.h * G + src.h * W)) * edge.weight", Gather: "mean", Width: "hidden",
		Vertex: "tanh(concat(dropout(self.h), acc) * C)", Widths: map[string]string{"W": "hidden"}},
	{Edge: "dropout(softmax(dot(src.h, A))) * src.h", Gather: "sum", Vertex: "acc * D", Width: "outputs"}},
	Training: neural.Training{LearningRate: 0.01, Dropout: 0.3, WeightDecay: 0.001, Epochs: 3}}

// portionTasks are classes and values of vertices, and what edgeTasks has, by graph.
func portionTasks(t *testing.T, seed uint64) map[string]func() (*DB, host.TrainRequest) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	orientation := []formats.Orientation{formats.Directed, formats.Undirected}[r.IntN(2)]
	tangled := func() *DB { return tangle(t, r, 500+r.IntN(300), orientation) }
	tasks := map[string]func() (*DB, host.TrainRequest){
		"classes": func() (*DB, host.TrainRequest) {
			return tangled(), host.TrainRequest{Model: dropping, Label: "grade", Split: "0.5,0.2,0.3",
				Features: neural.FeatureSpec{Property: "words", MultiHot: 60}}
		},
		"numbers": func() (*DB, host.TrainRequest) {
			return tangled(), host.TrainRequest{Model: dropping, Label: "grade", Values: true, Split: "0.5,0.2,0.3",
				Features: neural.FeatureSpec{Property: "x"}, Embedding: 3}
		},
	}
	for name, request := range edgeTasks(seed) {
		tasks[name] = func() (*DB, host.TrainRequest) {
			return rated(t, seed, 400, orientation, func(string) bool { return true }), request
		}
	}
	return tasks
}

// Several devices, among which batches are divided, learn what one does from batches of the same size: of vertices and
// of edges, with dropouts. Losses are the same but for rounding, and bits those of any threads, and after the training
// has died. Each device is brought its portions alone.
func TestTrain_Portions(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	tasks := portionTasks(t, seed)
	for _, name := range long.Draw(t, slices.Sorted(maps.Keys(tasks)), 2) {
		t.Run(name, func(t *testing.T) {
			db, request := tasks[name]()
			request.Seed, request.Threads, request.Model.Training.Patience = seed, 1, 0
			if request.Batch = 70; name != "factors" {
				request.Fanout = host.Fanouts{4, 2}
			}
			one := trainEdges(t, db, request)
			request.Device = chainOf(2 + int(seed%2))
			several := trainEdges(t, db, request)
			compareLosses(t, one, several)
			checkPortions(t, one, several)
			request.Threads = 2
			compareNumbers(t, "by other threads", several, trainEdges(t, db, request))
			request.Resume, request.CheckpointEvery = true, 1
			cancelTraining(t, db, request, 2)
			resumed := trainEdges(t, db, request)
			if compareNumbers(t, "after it has died", several, resumed); resumed.Report.Resumed != 2 {
				t.Errorf("it went on after epoch %d", resumed.Report.Resumed)
			}
		})
	}
}

// compareLosses fails unless two trainings had the same losses, of training and validation, to 1e-4.
func compareLosses(t *testing.T, one, several *host.Trained) {
	t.Helper()
	for i, e := range several.Report.Epochs {
		want := one.Report.Epochs[i]
		if off := math.Abs(e.Loss - want.Loss); off > 1e-4*(1+want.Loss) {
			t.Errorf("epoch %d: a loss of %v, not %v", e.Number, e.Loss, want.Loss)
		}
		if off := math.Abs(e.Validation.Loss - want.Validation.Loss); off > 1e-4*(1+want.Validation.Loss) {
			t.Errorf("epoch %d: a validation loss of %v, not %v", e.Number, e.Validation.Loss, want.Validation.Loss)
		}
	}
}

// checkPortions holds the counts of batches that several devices learned from to those of one.
func checkPortions(t *testing.T, one, several *host.Trained) {
	t.Helper()
	of, whole := several.Report.Batches, one.Report.Batches
	if of.Batches != whole.Batches || of.Vertices != whole.Vertices || of.Edges != whole.Edges || whole.Devices != nil {
		t.Errorf("batches %+v of several devices, %+v of one", of, whole)
	}
	var sum host.TrainBrought
	for i, d := range of.Devices {
		sum.Vertices, sum.Edges, sum.Bytes = sum.Vertices+d.Vertices, sum.Edges+d.Edges, sum.Bytes+d.Bytes
		if d.Batches == 0 || d.Batches > of.Batches || d.Vertices == 0 || d.Vertices > of.Vertices || d.Edges > of.Edges {
			t.Errorf("device %d had %+v, of %+v", i+1, d, of.Brought)
		}
	}
	if len(of.Devices) != len(several.Report.Devices) || sum.Vertices < of.Vertices || sum.Edges < of.Edges ||
		sum.Bytes != of.Bytes {
		t.Errorf("devices had %+v together, of %+v", sum, of.Brought)
	}
	transfer := uint64(0)
	for _, d := range several.Report.Devices {
		transfer += d.Transfer
	}
	if transfer != several.Report.Bytes.Transfer {
		t.Errorf("devices were brought %d bytes, of %d", transfer, several.Report.Bytes.Transfer)
	}
}

// Where the devices have no room for the whole graph, they learn the same from batches, and scores are computed piece
// by piece.
func TestTrain_PortionsInLittleMemory(t *testing.T) {
	seed := testseed.New(t)
	db := tangle(t, rand.New(rand.NewPCG(seed, 0)), 1500, formats.Directed)
	request := host.TrainRequest{Model: dropping, Label: "grade", Split: "0.3,0.2,0.5", Seed: seed, Batch: 16,
		Fanout: host.Fanouts{3, 2}, Features: neural.FeatureSpec{Property: "words", MultiHot: 60}, On: host.On{Threads: 1}}
	one := trainEdges(t, db, request)
	request.Device = chainOf(2)
	several := trainEdges(t, db, request)
	request.DeviceMemory = several.Report.Peak - 1
	pieces := trainEdges(t, db, request)
	compareNumbers(t, "in less memory", several, pieces)
	checkPortions(t, one, pieces)
	brought := uint64(0)
	for _, e := range pieces.Report.Epochs {
		brought += e.Sampled.Bytes
	}
	if p := pieces.Report.Pieces; p == nil || pieces.Report.Peak > request.DeviceMemory ||
		pieces.Report.Bytes.Transfer != p.Expected+brought {
		t.Errorf("a peak of %d in %d bytes, %+v, of which batches %d: %+v", pieces.Report.Peak, request.DeviceMemory,
			pieces.Report.Bytes, brought, p)
	}
}

// A batch of fewer seeds than there are devices leaves some of them without: here every batch does.
func TestTrain_PortionsOfFew(t *testing.T) {
	db := circle(t, 60)
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs, model.Training.Patience = 2, 0
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0.2,0.3", Batch: 2,
		Features: neural.FeatureSpec{Property: "x"}}
	one := trainEdges(t, db, request)
	request.Device = chainOf(3)
	several := trainEdges(t, db, request)
	compareLosses(t, one, several)
	if d := several.Report.Batches.Devices; len(d) != 3 || d[0].Batches != 0 || d[1].Batches != 15 || d[2].Batches != 15 {
		t.Errorf("%+v", d)
	}
}

// A device that dies ends a training by batches with an error that names it. Resumed, it goes on to the same bits.
func TestTrain_PortionsDie(t *testing.T) {
	db := tangle(t, rand.New(rand.NewPCG(9, 9)), 400, formats.Directed)
	model, _ := neural.Lookup("sage")
	model.Training.Epochs, model.Training.Patience = 12, 0
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0.2,0.2", Resume: true, CheckpointEvery: 1,
		Batch: 32, Fanout: host.Fanouts{3, 3}, Features: neural.FeatureSpec{Property: "x"},
		On: host.On{Threads: 1, Device: chainOf(2)}}
	killSecond(t, db, request, 5)
	resumed := trainEdges(t, db, request)
	if request.Resume = false; resumed.Report.Resumed < 5 {
		t.Errorf("it went on after epoch %d", resumed.Report.Resumed)
	}
	compareNumbers(t, "after a device has died", trainEdges(t, db, request), resumed)
}

// A portion that does not fit a device is refused, with a batch that fits.
func TestTrain_PortionsDoNotFit(t *testing.T) {
	db := circle(t, 1500)
	model, _ := neural.Lookup("sage")
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0.2,0.3", Batch: 1024,
		Features: neural.FeatureSpec{Property: "x"}, On: host.On{Device: chainOf(2), DeviceMemory: 950_000, Threads: 1}}
	_, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	var wrong *host.BatchError
	if !errors.As(err, &wrong) || wrong.Devices != 2 || wrong.Fits == 0 {
		t.Fatal(err)
	}
	request.Batch, request.Model.Training.Epochs = wrong.Fits, 1
	if _, err := db.Train(t.Context(), "g", request, host.TrainEvents{}); err != nil {
		t.Errorf("a batch of %d: %v", wrong.Fits, err)
	}
}
