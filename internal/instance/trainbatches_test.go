package instance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// In one batch of all neighbors a model learns what it learns over the whole graph: every gradient is the same but for
// rounding, whatever the model adds up, and so is every loss. Degrees are those of the whole graph.
func TestTrain_OneBatchOfAllNeighbors(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	models := []neural.Model{{Name: "degrees", Sizes: map[string]int{"hidden": 8}, SelfLoops: true, Layers: []neural.Layer{
		{Edge: "relu(dst.h * G + src.h * W) * edge.weight / (1.0 + src.out_degree)", Gather: "max", Width: "hidden",
			Vertex: "concat(acc, self.h) * C", Widths: map[string]string{"W": "hidden"}},
		{Edge: "src.h / (1.0 + src.in_degree + dst.out_degree)", Gather: "sum", Vertex: "acc * D", Width: "outputs"}},
		Training: neural.Training{LearningRate: 0.01}}}
	names := neural.Names()
	for _, name := range long.Draw(t, names, 3) {
		model, _ := neural.Lookup(name)
		models = append(models, model)
	}
	db := map[formats.Orientation]*DB{}
	for _, o := range []formats.Orientation{formats.Directed, formats.Undirected} {
		db[o] = tangle(t, r, 300+r.IntN(200), o)
	}
	for i, model := range models {
		orientation := []formats.Orientation{formats.Directed, formats.Undirected}[(i+r.IntN(2))%2]
		t.Run(fmt.Sprintf("%s/%v", model.Name, orientation), func(t *testing.T) {
			model.Training.Epochs, model.Training.Dropout, model.Training.Patience = 4, 0, 0
			request := host.TrainRequest{Model: model, Label: "grade", Split: "0.3,0.2,0.5", Seed: seed,
				Features: neural.FeatureSpec{Property: "x"}}
			if r.IntN(2) == 0 {
				request.Features = neural.FeatureSpec{Property: "words", MultiHot: 60}
			}
			whole, err := db[orientation].Train(t.Context(), "g", request, host.TrainEvents{})
			if err != nil {
				t.Fatal(err)
			}
			request.Batch = 1000
			got, err := db[orientation].Train(t.Context(), "g", request, host.TrainEvents{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Report.Batches == nil || got.Report.Batches.Batches != 1 || whole.Report.Batches != nil {
				t.Errorf("batches %+v, and over the whole graph %+v", got.Report.Batches, whole.Report.Batches)
			}
			for k, e := range got.Report.Epochs {
				want := whole.Report.Epochs[k]
				if off := math.Abs(e.Loss - want.Loss); off > 1e-3*(1+want.Loss) {
					t.Errorf("epoch %d: a loss of %v, not %v", e.Number, e.Loss, want.Loss)
				}
				if off := math.Abs(e.Validation.Loss - want.Validation.Loss); off > 1e-3*(1+want.Validation.Loss) {
					t.Errorf("epoch %d: a validation loss of %v, not %v", e.Number, e.Validation.Loss, want.Validation.Loss)
				}
			}
		})
	}
}

// The same seed gives the same model to the bit: by any number of threads, on a device that has no room for the whole
// graph, and after the training has died. What the device takes is within its budget, and bytes are counted.
func TestTrain_BatchesSameBits(t *testing.T) {
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	db := tangle(t, r, 1500, formats.Directed)
	model, _ := neural.Lookup([]string{"sage", "gcn", "gat"}[r.IntN(3)])
	model.Sizes = map[string]int{"hidden": 8, "heads": 2}
	if model.Name != "gat" {
		delete(model.Sizes, "heads")
	}
	model.Training.Epochs, model.Training.Patience, model.Training.Dropout = 4, 0, 0.3
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.3,0.2,0.5", Seed: seed, Batch: 16,
		Fanout: host.Fanouts{3, 2}, Features: neural.FeatureSpec{Property: "words", MultiHot: 60}, On: host.On{Threads: 1}}
	train := func(request host.TrainRequest) *host.Trained {
		t.Helper()
		got, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	one := train(request)
	same := func(what string, got *host.Trained) {
		t.Helper()
		if fmt.Sprint(one.Model.Parameters) != fmt.Sprint(got.Model.Parameters) ||
			fmt.Sprint(one.Model.Scores["test"].Loss) != fmt.Sprint(got.Model.Scores["test"].Loss) {
			t.Errorf("other bits %s", what)
		}
	}
	three := request
	three.Threads = 3
	same("by other threads", train(three))
	small := request
	small.DeviceMemory = one.Report.Peak - 1
	pieces := train(small)
	if same("in less memory", pieces); pieces.Report.Pieces == nil || pieces.Report.Peak > small.DeviceMemory {
		t.Fatalf("a peak of %d in %d bytes: %+v", pieces.Report.Peak, small.DeviceMemory, pieces.Report.Pieces)
	}
	brought := pieces.Report.Pieces.Expected
	for _, e := range pieces.Report.Epochs {
		brought += e.Sampled.Bytes
	}
	if pieces.Report.Bytes.Transfer != brought {
		t.Errorf("%d bytes came and went, not %d", pieces.Report.Bytes.Transfer, brought)
	}
	request.Resume, request.CheckpointEvery = true, 1
	cancelTraining(t, db, request, 2)
	resumed := train(request)
	if same("after it has died", resumed); resumed.Report.Resumed != 2 {
		t.Errorf("it went on after epoch %d", resumed.Report.Resumed)
	}
	request.Seed++
	if other := train(request); fmt.Sprint(one.Model.Parameters) == fmt.Sprint(other.Model.Parameters) {
		t.Error("another seed, the same bits")
	}
}

// circle is a directed graph of n vertices, each of which hears of the 20 before it.
func circle(t *testing.T, n int) *DB {
	t.Helper()
	var nodes, edges strings.Builder
	nodes.WriteString(":ID,x:double[],grade:int\n")
	edges.WriteString(":START_ID,:END_ID\n")
	for v := range n {
		fmt.Fprintf(&nodes, "%d,%d;1,%d\n", v, v%3, v%2)
		for back := 1; back <= 20; back++ {
			fmt.Fprintf(&edges, "%d,%d\n", (v+n-back)%n, v)
		}
	}
	return loadedTables(t, nodes.String(), edges.String(), LoadOptions{Orientation: formats.Directed})
}

// A batch of one vertex keeps exactly as many neighbors as the fanouts say, where all have more: a fanout that is
// ignored, or taken for another hop's, shows in the counts.
func TestTrain_BatchesCountWhatTheySample(t *testing.T) {
	db := circle(t, 200)
	model, _ := neural.Lookup("sage")
	model.Training.Epochs = 2
	for _, c := range []struct {
		fanout host.Fanouts
		edges  uint64 // of a batch
	}{{host.Fanouts{3, 2}, 3 + 3*2}, {host.Fanouts{2, 3}, 2 + 2*3}, {host.Fanouts{1, host.AllNeighbors}, 1 + 20},
		{host.Fanouts{host.AllNeighbors, 1}, 20 + 20}, {nil, 20 + 20*20}} {
		got, err := db.Train(t.Context(), "g", host.TrainRequest{Model: model, Label: "grade", Split: "0.25,0.25,0.5",
			Batch: 1, Fanout: c.fanout, Features: neural.FeatureSpec{Property: "x"}}, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range got.Report.Epochs {
			if e.Sampled.Batches != 50 || e.Sampled.Edges != 50*c.edges || e.Sampled.Vertices > 50*(1+c.edges) ||
				e.Sampled.Bytes < 2*4*e.Sampled.Edges+8*e.Sampled.Vertices {
				t.Errorf("fanout %v, epoch %d: %+v, not %d edges in each of 50 batches", c.fanout, e.Number, *e.Sampled, c.edges)
			}
		}
	}
}

// A batch that the device has no room for is refused with one that it has room for, which then trains.
func TestTrain_BatchesThatDoNotFit(t *testing.T) {
	db := circle(t, 3000)
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs = 1
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0,0.5", Batch: 2048,
		Fanout: host.Fanouts{2, 1}, Features: neural.FeatureSpec{Property: "x"},
		On: host.On{DeviceMemory: 600_000, Threads: 1}}
	train := func() (*host.Trained, error) {
		return db.Train(t.Context(), "g", request, host.TrainEvents{})
	}
	_, err := train()
	var full *host.BatchError
	if !errors.As(err, &full) || full.Fits < 1 || full.Fits >= 2048 || full.Vertices != 3000 ||
		plugins.KindOf(err) != plugins.KindBudget {
		t.Fatalf("%v, %+v", err, full)
	}
	request.Batch = full.Fits
	if got, err := train(); err != nil || got.Report.Peak > request.DeviceMemory {
		t.Errorf("in batches of %d: %v", full.Fits, err)
	}
	request.DeviceMemory = 30_000
	if _, err := train(); !errors.As(err, &full) || full.Fits != 0 || plugins.KindOf(err) != plugins.KindBudget {
		t.Errorf("in 30000 bytes: %v", err)
	}
}

// cancelTraining cancels a training after an epoch.
func cancelTraining(t *testing.T, db *DB, request host.TrainRequest, epoch int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := db.Train(ctx, "g", request, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
		if e.Number == epoch {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
