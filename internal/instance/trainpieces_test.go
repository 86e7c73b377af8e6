package instance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// tangle is a random graph of n vertices, with hubs, loops, parallel edges and vertices without any; features are
// dense, or words of which a vertex has few.
func tangle(t *testing.T, r *rand.Rand, n int, orientation formats.Orientation) *DB {
	t.Helper()
	nodes, edges := tangled(r, n)
	return loadedTables(t, nodes, edges, LoadOptions{Orientation: orientation})
}

// tangled is the tables of such a graph, which has 4n edges.
func tangled(r *rand.Rand, n int) (string, string) {
	var nodes, edges strings.Builder
	nodes.WriteString(":ID,x:double[],words:int[],grade:int\n")
	edges.WriteString(":START_ID,:END_ID,weight:double\n")
	for v := range n {
		grade := r.IntN(3)
		fmt.Fprintf(&nodes, "%d,%g;%g;%g;1,%d;%d,%d\n", v, r.NormFloat64(), r.NormFloat64(), float64(grade), r.IntN(40),
			40+r.IntN(20), grade)
	}
	for range 4 * n {
		u := r.IntN(n)
		if r.IntN(3) == 0 {
			u = r.IntN(5)
		}
		fmt.Fprintf(&edges, "%d,%d,%g\n", u, r.IntN(n*9/10), float64(1+r.IntN(8))/8)
	}
	return nodes.String(), edges.String()
}

// A network that does not fit the device is computed piece by piece, in any budget that has room for the smallest
// pieces: to the same bits, in as few intervals as fit, with as many bytes as the paper's sum says.
func TestTrain_PieceByPiece(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	weighted := neural.Model{Name: "weighted", Sizes: map[string]int{"hidden": 8}, SelfLoops: true, Layers: []neural.Layer{
		{Edge: "relu(dst.h * G + src.h * W) * edge.weight", Gather: "max", Vertex: "concat(acc, self.h) * C",
			Width: "hidden", Widths: map[string]string{"W": "hidden"}},
		{Edge: "src.h / (1.0 + src.in_degree + dst.out_degree)", Gather: "mean", Vertex: "acc * D", Width: "outputs"}},
		Training: neural.Training{LearningRate: 0.01, Dropout: 0.3}}
	models := []neural.Model{}
	for _, name := range neural.Names() {
		model, _ := neural.Lookup(name)
		models = append(models, model)
	}
	orientations := []formats.Orientation{formats.Directed, formats.Undirected}
	for _, model := range append(long.Draw(t, models, 1), weighted) {
		for _, orientation := range long.Draw(t, orientations, 1) {
			t.Run(fmt.Sprintf("%s/%v", model.Name, orientation), func(t *testing.T) {
				vertices := 900 + r.IntN(600)
				if long.Tests() || model.Name == "mlp" { // without edges there are few sections of so few vertices
					vertices *= 2
				}
				db := tangle(t, r, vertices, orientation)
				request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0,0.4", Seed: seed,
					Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1 + r.IntN(3)}}
				if r.IntN(2) == 0 {
					request.Features = neural.FeatureSpec{Property: "words", MultiHot: 60}
				}
				request.Model.Training.Epochs = 3
				comparePieces(t, db, request)
			})
		}
	}
}

// comparePieces trains in every budget that makes other intervals.
func comparePieces(t *testing.T, db *DB, request host.TrainRequest) {
	t.Helper()
	train := func(request host.TrainRequest) (*host.Trained, error) {
		return db.Train(t.Context(), "g", request, host.TrainEvents{})
	}
	free, err := train(request)
	if err != nil || free.Report.Pieces != nil {
		t.Fatalf("%v, %+v", err, free)
	}
	before, runs, least := free.Report, 0, 2
	if request.Model.Name == "mlp" {
		least = 1
	}
	for {
		request.DeviceMemory = before.Peak - 1
		got, err := train(request)
		var full *plugins.Error
		if errors.As(err, &full) && full.Kind == plugins.KindBudget && runs >= least {
			break
		}
		if err != nil {
			t.Fatalf("after %d runs, in %d bytes: %v", runs, request.DeviceMemory, err)
		}
		runs++
		report := got.Report
		if report.Pieces != nil && report.Bytes.Transfer != report.Pieces.Expected {
			t.Errorf("%+v, but %d bytes came and went", report.Pieces, report.Bytes.Transfer)
		}
		if report.Pieces == nil || report.Peak > request.DeviceMemory ||
			before.Pieces != nil && report.Pieces.Intervals < before.Pieces.Intervals {
			t.Fatalf("in %d bytes: %+v, a peak of %d; in more %+v", request.DeviceMemory, report.Pieces, report.Peak,
				before.Pieces)
		}
		if !sameNumbers(free, got) {
			t.Errorf("%d intervals: other parameters than on a device that has everything", report.Pieces.Intervals)
		}
		before = report
	}
	request.DeviceMemory = before.Peak
	last, err := train(request)
	if err != nil || last.Report.Pieces.Intervals != before.Pieces.Intervals {
		t.Fatalf("with the %d bytes that it took: %v", before.Peak, err)
	}
	said := [2]*Predictions{}
	for i, budget := range []uint64{0, before.Peak} {
		on := host.On{DeviceMemory: budget, Threads: request.Threads}
		if said[i], err = db.Predict(t.Context(), "g", last.Model, false, on); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(said[0].Rows, said[1].Rows) {
		t.Errorf("another prediction in %d bytes", before.Peak)
	}
	request.Whole = true
	whole, err := train(request)
	if err != nil || !sameNumbers(last, whole) {
		t.Errorf("with rows that no edge reads: %v, or other parameters", err)
	}
	all, some := whole.Report.Pieces, last.Report.Pieces
	if all.Filtered != 0 || (some.Filtered > 0) != (all.Epoch > some.Epoch) {
		t.Errorf("with rows that no edge reads %+v, without %+v", all, some)
	}
}

// sameNumbers says whether two trainings have come to the same parameters, bit for bit.
func sameNumbers(a, b *host.Trained) bool {
	for i, p := range a.Model.Parameters {
		if !slices.Equal(p.Numbers, b.Model.Parameters[i].Numbers) {
			return false
		}
	}
	return true
}

// On a ring an interval has edges from the vertices around it alone, and gets their rows alone, whatever rates are
// measured: they follow each other, and are read as all would be.
func TestTrain_PiecesFilter(t *testing.T) {
	db := ring(t, 3000)
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs = 2
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0,0.4",
		Features: neural.FeatureSpec{Property: "x"}, On: host.On{DeviceMemory: 600_000, Threads: 1}}
	filtered, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	request.Whole = true
	whole, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	some, all := filtered.Report.Pieces, whole.Report.Pieces
	if some == nil || some.Intervals < 3 || some.Filtered != 2*some.Intervals || some.Epoch >= all.Epoch {
		t.Errorf("filtered %+v, whole %+v", some, all)
	}
}
