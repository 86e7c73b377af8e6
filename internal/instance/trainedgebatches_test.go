package instance

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// edgeTasks are values of edges, and links with negatives, by a model whose vectors are made of messages, and by one
// that looks at no neighbors.
func edgeTasks(seed uint64) map[string]host.TrainRequest {
	values := host.TrainRequest{Model: messages, EdgeLabel: "rating", Split: "part", Seed: seed, Embedding: 5,
		Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
	factors, _ := neural.Lookup("factors")
	factors.Training.Epochs = 4
	links := host.TrainRequest{Model: messages, Links: true, Negatives: 2, Split: "0.7,0.1,0.2", Seed: seed,
		Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
	return map[string]host.TrainRequest{"values": values, "links": links, "factors": {Model: factors, Embedding: 3,
		EdgeLabel: "rating", Split: "part", Seed: seed, On: host.On{Threads: 1}}}
}

// In one batch of all edges, with all neighbors, a model learns what it learns over the whole graph: every loss is the
// same but for rounding, and so are the scores of edges that are held out.
func TestTrainEdges_OneBatchOfAll(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	orientations := []formats.Orientation{formats.Directed, formats.Undirected}
	for _, orientation := range long.Draw(t, orientations, 1) {
		db := rated(t, seed, 400, orientation, func(string) bool { return true })
		for name, request := range edgeTasks(seed) {
			request.Model.Training.Dropout, request.Model.Training.Patience = 0, 0
			whole := trainEdges(t, db, request)
			request.Batch = 1 << 20
			got := trainEdges(t, db, request)
			if b := got.Report.Batches; b == nil || b.Batches != 1 || whole.Report.Batches != nil {
				t.Errorf("%s: batches %+v", name, b)
			}
			for i, e := range got.Report.Epochs {
				want := whole.Report.Epochs[i]
				if math.Abs(e.Loss-want.Loss) > 1e-3*(1+want.Loss) ||
					math.Abs(e.Validation.Loss-want.Validation.Loss) > 1e-3*(1+want.Validation.Loss) {
					t.Errorf("%s on %v, epoch %d: losses %v and %v, not %v and %v", name, orientation, e.Number, e.Loss,
						e.Validation.Loss, want.Loss, want.Validation.Loss)
				}
			}
		}
	}
}

// The same seed gives the same model to the bit: by any number of threads, on a device that has no room for the whole
// graph, and after the training has died. Bytes are counted.
func TestTrainEdges_BatchesSameBits(t *testing.T) {
	seed := testseed.New(t)
	db := rated(t, seed, 1500, formats.Directed, func(string) bool { return true })
	for name, request := range edgeTasks(seed) {
		request.Model.Training.Patience = 0
		if request.Batch = 512; name != "factors" {
			request.Fanout = host.Fanouts{3, 2}
		}
		one := trainEdges(t, db, request)
		if b := one.Report.Batches; b.Batches != (one.Report.Split["train"]+511)/512 || b.Vertices == 0 {
			t.Errorf("%s: %+v of %d edges", name, b, one.Report.Split["train"])
		}
		request.Threads = 3
		compareNumbers(t, name+" by other threads", one, trainEdges(t, db, request))
		if name != "factors" { // a row of 3 numbers for each vertex is no more than pieces take
			smallBatches(t, db, name, request, one)
		}
		request.Resume, request.CheckpointEvery = true, 1
		cancelTraining(t, db, request, 2)
		resumed := trainEdges(t, db, request)
		compareNumbers(t, name+" after it has died", one, resumed)
		if resumed.Report.Resumed != 2 {
			t.Errorf("%s went on after epoch %d", name, resumed.Report.Resumed)
		}
	}
}

// smallBatches trains where the device has room for batches, but not for the whole graph.
func smallBatches(t *testing.T, db *DB, name string, request host.TrainRequest, one *host.Trained) {
	t.Helper()
	request.DeviceMemory = one.Report.Peak - 1
	pieces := trainEdges(t, db, request)
	compareNumbers(t, name+" in less memory", one, pieces)
	brought := pieces.Report.Pieces.Expected
	for _, e := range pieces.Report.Epochs {
		brought += e.Sampled.Bytes
	}
	if pieces.Report.Bytes.Transfer != brought || pieces.Report.Peak > request.DeviceMemory {
		t.Errorf("%s: %d bytes came and went, not %d; a peak of %d", name, pieces.Report.Bytes.Transfer, brought,
			pieces.Report.Peak)
	}
}

// Rows of vertices that are learned, where vertices have labels, are learned batch by batch as well.
func TestTrain_BatchesEmbedding(t *testing.T) {
	seed := testseed.New(t)
	db := circle(t, 300)
	model, _ := neural.Lookup("sage")
	model.Training.Epochs, model.Training.Dropout, model.Training.Patience = 4, 0, 0
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0.2,0.3", Embedding: 4, Seed: seed}
	whole := trainEdges(t, db, request)
	request.Batch = 1000
	for i, e := range trainEdges(t, db, request).Report.Epochs {
		if want := whole.Report.Epochs[i]; math.Abs(e.Loss-want.Loss) > 1e-3*(1+want.Loss) ||
			math.Abs(e.Validation.Loss-want.Validation.Loss) > 1e-3*(1+want.Validation.Loss) {
			t.Errorf("epoch %d: losses %v and %v, not %v and %v", e.Number, e.Loss, e.Validation.Loss, want.Loss,
				want.Validation.Loss)
		}
	}
}
