package instance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// messages is a model whose vectors are made of messages along edges, with what these say, and of degrees.
var messages = neural.Model{Name: "messages", Sizes: map[string]int{"hidden": 4, "outputs": 6}, Layers: []neural.Layer{
	{Edge: "src.h * edge.rating / (1.0 + src.out_degree)", Gather: "mean", Width: "hidden",
		Vertex: "tanh(concat(acc, dropout(self.h)) * W / (1.0 + self.in_degree))"},
	{Edge: "src.h", Gather: "max", Vertex: "concat(self.h, acc) * W", Width: "outputs"}},
	Output:   "dot(src.h * M, dst.h) + src.bias + dst.bias + tanh(dot(dst.h, A)) + B",
	Training: neural.Training{LearningRate: 0.01, Dropout: 0.2, WeightDecay: 0.01, Epochs: 4}}

// rated is a random graph of users and items with ratings, loops and parallel edges, and a split: with those edges
// alone that keep says.
func rated(t *testing.T, seed uint64, n int, orientation formats.Orientation, keep func(part string) bool) *DB {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var nodes, edges strings.Builder
	nodes.WriteString(":ID,x:double[]\n")
	edges.WriteString(":START_ID,:END_ID,rating:double,part:string\n")
	parts := map[string]string{}
	for v := range n {
		fmt.Fprintf(&nodes, "%d,%g;%g;1\n", v, r.NormFloat64(), r.NormFloat64())
	}
	for range 6 * n {
		u, v := r.IntN(n), r.IntN(n/4)
		if orientation == formats.Undirected && u > v {
			u, v = v, u
		}
		key := fmt.Sprint(u, " ", v)
		if parts[key] == "" {
			parts[key] = []string{"train", "train", "train", "validation", "test"}[r.IntN(5)]
		}
		if rating := 1 + r.IntN(5); keep(parts[key]) {
			fmt.Fprintf(&edges, "%d,%d,%d,%s\n", u, v, rating, parts[key])
		}
	}
	return loadedTables(t, nodes.String(), edges.String(), LoadOptions{Orientation: orientation})
}

func trainEdges(t *testing.T, db *DB, request host.TrainRequest) *host.Trained {
	t.Helper()
	trained, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	return trained
}

// compareNumbers fails unless two models have learned the same, to the bit.
func compareNumbers(t *testing.T, what string, a, b *host.Trained) {
	t.Helper()
	for i, p := range a.Model.Parameters {
		if !slices.Equal(p.Numbers, b.Model.Parameters[i].Numbers) {
			t.Errorf("%s: %s has other bits", what, p.Name)
		}
	}
}

// What is held out tells nothing: a model has the same bits whether these edges exist or not. It has them for any
// number of threads, and piece by piece as well.
func TestTrainEdges_HeldOut(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	for _, orientation := range []formats.Orientation{formats.Directed, formats.Undirected} {
		all := rated(t, seed, 1500, orientation, func(string) bool { return true })
		some := rated(t, seed, 1500, orientation, func(part string) bool { return part == "train" })
		request := host.TrainRequest{Model: messages, EdgeLabel: "rating", Split: "part", Seed: seed, Embedding: 5,
			Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
		request.Model.Training.Patience = 0
		with := trainEdges(t, all, request)
		if with.Model.Scores["test"].Edges == 0 || with.Report.Split["validation"] == 0 {
			t.Fatalf("%+v", with.Report.Split)
		}
		compareNumbers(t, "without what is held out", with, trainEdges(t, some, request))
		request.Threads = 3
		compareNumbers(t, "with 3 threads", with, trainEdges(t, all, request))
		request.DeviceMemory = with.Report.Peak / 2
		pieces := trainEdges(t, all, request)
		if pieces.Report.Pieces == nil || pieces.Report.Peak > request.DeviceMemory {
			t.Errorf("%+v, a peak of %d", pieces.Report.Pieces, pieces.Report.Peak)
		}
		compareNumbers(t, "piece by piece", with, pieces)
		if *with.Model.Scores["test"].RMSE != *pieces.Model.Scores["test"].RMSE {
			t.Error("piece by piece the test has another score")
		}
	}
}

// Vectors of users and items are found that ratings were made of, which neither constants nor biases tell.
func TestTrainEdges_PlantedFactors(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 2))
	const users, items, width = 300, 60, 2
	vectors := make([][width]float64, users+items)
	for v := range vectors {
		vectors[v] = [width]float64{r.NormFloat64(), r.NormFloat64()}
	}
	var edges strings.Builder
	edges.WriteString(":START_ID,:END_ID,rating:double\n")
	for u := range users {
		for _, i := range r.Perm(items)[:25] {
			x := 3 + 0.1*r.NormFloat64()
			for k := range width {
				x += vectors[u][k] * vectors[users+i][k]
			}
			fmt.Fprintf(&edges, "u%d,i%d,%g\n", u, i, x)
		}
	}
	db := loaded(t, edges.String())
	model, _ := neural.Lookup("factors")
	got := trainEdges(t, db, host.TrainRequest{Model: model, EdgeLabel: "rating", Split: "0.8,0.1,0.1", Seed: seed,
		Embedding: 4})
	biases, constant := *got.Report.Baseline.BiasesRMSE, *got.Report.Baseline.ConstantRMSE
	if rmse := *got.Model.Scores["test"].RMSE; rmse > 0.5*biases || rmse > 0.5*constant {
		t.Errorf("RMSE %v; the mean has %v, biases %v", rmse, constant, biases)
	}
}

// Several devices learn of edges what one does, bit for bit, whether they hold their shares or take intervals by turns;
// rows that are learned of vertices come to each of them.
func TestTrainEdges_Several(t *testing.T) {
	seed := testseed.New(t)
	orientations := []formats.Orientation{formats.Directed, formats.Undirected}
	for _, orientation := range long.Draw(t, orientations, 1) {
		db := rated(t, seed, 1500, orientation, func(string) bool { return true })
		request := host.TrainRequest{Model: messages, EdgeLabel: "rating", Split: "part", Seed: seed, Embedding: 5,
			Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
		one := trainEdges(t, db, request)
		request.Device = chainOf(3)
		three := trainEdges(t, db, request)
		compareNumbers(t, "three devices", one, three)
		if r := three.Report; len(r.Devices) != 3 || r.Pieces != nil || r.Expected == 0 ||
			r.Bytes.Exchanged != r.Expected {
			t.Errorf("%+v, %d bytes traveled, not %d", r.Devices, r.Bytes.Exchanged, r.Expected)
		}
		request.DeviceMemory = three.Report.Peak - 1
		pieces := trainEdges(t, db, request)
		compareNumbers(t, "three devices by turns", one, pieces)
		if r := pieces.Report; r.Pieces == nil || r.Bytes.Transfer != r.Pieces.Expected {
			t.Errorf("in pieces %+v, but %d bytes came and went", r.Pieces, r.Bytes.Transfer)
		}
		request.DeviceMemory, request.Device = 0, "cpu+cpu"
		halves := trainEdges(t, db, request)
		if off := math.Abs(halves.Report.Loss - one.Report.Loss); off > 1e-4*one.Report.Loss || halves.Report.Halves == nil {
			t.Errorf("halves have a loss of %v, not %v: %+v", halves.Report.Loss, one.Report.Loss, halves.Report.Halves)
		}
	}
}
