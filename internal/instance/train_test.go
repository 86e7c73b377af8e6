package instance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins"
)

// loadedTables is a database that holds graph g with these nodes and edges.
func loadedTables(t *testing.T, nodes, edges string, options LoadOptions) *DB {
	t.Helper()
	files := []string{filepath.Join(t.TempDir(), "nodes.csv"), filepath.Join(t.TempDir(), "edges.csv")}
	for i, text := range []string{nodes, edges} {
		if err := os.WriteFile(files[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	db, err := Open(filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Load(t.Context(), "g", files, options); err != nil {
		t.Fatal(err)
	}
	return db
}

// eachLine calls each with the fields of every line of a published file.
func eachLine(t *testing.T, name string, each func(fields []string)) {
	t.Helper()
	file, err := os.Open(sourcetest.SharedData(t, "planetoid-cora", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) > 0 && f[0][0] != '#' {
			each(f)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// cora is the citation network of Planetoid with its fixed split.
func cora(t *testing.T) *DB {
	t.Helper()
	class, part := map[string]string{}, map[string]string{}
	eachLine(t, "cora.labels.txt", func(f []string) { class[f[0]] = f[1] })
	eachLine(t, "cora.split.txt", func(f []string) {
		for _, v := range f[1:] {
			part[v] = f[0]
		}
	})
	var nodes, edges strings.Builder
	nodes.WriteString(":ID,words:int[],class:int,split\n")
	eachLine(t, "cora.features.txt", func(f []string) {
		fmt.Fprintf(&nodes, "%s,%s,%s,%s\n", f[0], strings.Join(f[1:], ";"), class[f[0]], part[f[0]])
	})
	edges.WriteString(":START_ID,:END_ID\n")
	eachLine(t, "cora.edges.txt", func(f []string) { fmt.Fprintf(&edges, "%s,%s\n", f[0], f[1]) })
	return loadedTables(t, nodes.String(), edges.String(), LoadOptions{Orientation: formats.Undirected})
}

// On cora, models are as accurate as PyTorch made them: GCN 81.5 ± 0.7, GAT 82.3 ± 0.9, MLP 56.5 ± 0.8 (20 seeds). The
// mean must be as good within three of its deviations.
func TestTrain_Cora(t *testing.T) {
	long.Unraced(t)
	db := cora(t)
	for _, c := range []struct {
		model        string
		least, most  float64
		seeds, short int
	}{{"gcn", 0.813, 1, 20, 2}, {"gat", 0.824, 1, 3, 0}, {"mlp", 0.5, 0.60, 20, 1}} {
		seeds := c.short
		if long.Tests() {
			seeds = c.seeds
		}
		slack := 3 * 0.009 / math.Sqrt(float64(max(seeds, 1)))
		sum, squares := 0.0, 0.0
		for seed := range seeds {
			model, _ := neural.Lookup(c.model)
			got := trainCora(t, db, model, uint64(seed), host.On{})
			test := *got.Model.Scores["test"].Accuracy
			sum, squares = sum+test, squares+test*test
		}
		if seeds == 0 {
			continue
		}
		mean := sum / float64(seeds)
		t.Logf("%s: %.4f ± %.4f of %d seeds", c.model, mean, math.Sqrt(max(0, squares/float64(seeds)-mean*mean)), seeds)
		if mean < c.least-slack || mean > c.most+slack {
			t.Errorf("%s: %.4f, not from %.3f to %.3f", c.model, mean, c.least, c.most)
		}
	}
}

func trainCora(t *testing.T, db *DB, model neural.Model, seed uint64, on host.On) *host.Trained {
	t.Helper()
	got, err := db.Train(t.Context(), "g", host.TrainRequest{Model: model, Seed: seed, Label: "class", Split: "split", On: on,
		Features: neural.FeatureSpec{Property: "words", MultiHot: 1433, Normalize: true}}, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// ring is a directed graph of n vertices in a ring, with features at random, whose value is a number that its
// neighbors' features tell, and its own do not.
func ring(t *testing.T, n int) *DB {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var nodes, edges strings.Builder
	nodes.WriteString(":ID,x:double[],value:double,grade:int,tags:string[]\n")
	edges.WriteString(":START_ID,:END_ID\n")
	x := make([]float64, n)
	for v := range x {
		x[v] = r.NormFloat64()
	}
	for v := range n {
		before := x[(v+n-1)%n]
		tags := map[bool]string{true: "high;any", false: "any"}[before > 0]
		fmt.Fprintf(&nodes, "%d,%g;1,%g,%d,%s\n", v, x[v], 2*before+0.5, int(math.Round(before)), tags)
		fmt.Fprintf(&edges, "%d,%d\n", v, (v+1)%n)
	}
	return loadedTables(t, nodes.String(), edges.String(), LoadOptions{})
}

// A model learns values and labels along the edges, and against them it cannot: a model that looks at no edges does
// not.
func TestTrain_ValuesAndLabels(t *testing.T) {
	db := ring(t, 300)
	own := neural.Model{Name: "own", Layers: []neural.Layer{{Edge: "src.h * W", Gather: "sum", Vertex: "acc + B",
		Width: "outputs"}}, Training: neural.Training{Epochs: 400, LearningRate: 0.05}}
	blind := own
	blind.Layers = []neural.Layer{{Vertex: "self.h * W + B", Width: "outputs"}}
	train := func(m neural.Model, label string, values bool) host.Scores {
		t.Helper()
		got, err := db.Train(t.Context(), "g", host.TrainRequest{Model: m, Label: label, Values: values, Split: "0.5,0,0.5",
			Features: neural.FeatureSpec{Property: "x"}}, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		return got.Model.Scores["test"]
	}
	if got := *train(own, "value", false).RMSE; got > 0.05 {
		t.Errorf("values along edges: RMSE %g", got)
	}
	if got := *train(blind, "value", false).RMSE; got < 1 {
		t.Errorf("values without edges: RMSE %g", got)
	}
	if got := *train(own, "grade", true).RMSE; got > 0.4 {
		t.Errorf("integers as values: RMSE %g", got)
	}
	if got := *train(own, "tags", false).Accuracy; got < 0.95 {
		t.Errorf("labels along edges: %g right", got)
	}
	if got := *train(blind, "tags", false).Accuracy; got > 0.7 {
		t.Errorf("labels without edges: %g right", got)
	}
}

// The same seed gives the same model to the bit, whatever the number of threads; another seed another.
func TestTrain_SameBits(t *testing.T) {
	db := ring(t, 700)
	model, _ := neural.Lookup("gat")
	model.Training.Epochs, model.Training.Patience = 10, 0
	train := func(seed uint64, threads int) []float32 {
		t.Helper()
		got, err := db.Train(t.Context(), "g", host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0.2,0.3", Seed: seed,
			Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: threads}}, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		return got.Model.Parameters[0].Numbers
	}
	one := fmt.Sprint(train(1, 1))
	if two := fmt.Sprint(train(1, 3)); one != two {
		t.Error("other threads, other bits")
	}
	if other := fmt.Sprint(train(2, 1)); one == other {
		t.Error("another seed, the same bits")
	}
}

// Training keeps to its device's budget, to the byte: with what it has taken it runs again, with a byte less it is
// refused.
func TestTrain_Budget(t *testing.T) {
	db := ring(t, 500)
	model, _ := neural.Lookup("sage")
	model.Training.Epochs = 2
	train := func(budget uint64) (*host.Trained, error) {
		return db.Train(t.Context(), "g", host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0.2,0.3",
			Features: neural.FeatureSpec{Property: "x"}, On: host.On{DeviceMemory: budget}}, host.TrainEvents{})
	}
	free, err := train(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train(free.Report.Peak); err != nil {
		t.Errorf("with the %d bytes that it took: %v", free.Report.Peak, err)
	}
	_, err = train(free.Report.Peak - 1)
	var budget *plugins.Error
	if !errors.As(err, &budget) || budget.Kind != plugins.KindBudget {
		t.Errorf("with a byte less: %v", err)
	}
}

// Early stopping ends when nothing becomes better, and keeps the parameters of the best epoch.
func TestTrain_Patience(t *testing.T) {
	db := ring(t, 300)
	model, _ := neural.Lookup("mlp")
	model.Training.Epochs, model.Training.Patience, model.Training.LearningRate = 5000, 20, 0.05
	got, err := db.Train(t.Context(), "g", host.TrainRequest{Model: model, Label: "grade", Split: "0.3,0.3,0.4",
		Features: neural.FeatureSpec{Property: "x"}}, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	best, epochs := got.Model.Best, got.Report.Epochs
	if len(epochs) == 5000 || best == 0 || best > len(epochs) {
		t.Fatalf("it stopped after %d epochs, the best of which is %d", len(epochs), best)
	}
	if kept, then := got.Model.Scores["validation"].Loss, epochs[best-1].Validation.Loss; kept != then {
		t.Errorf("the loss of what is kept is %v, and was %v in epoch %d", kept, then, best)
	}
	for _, e := range epochs[best:] {
		if e.Validation.Better(epochs[best-1].Validation) {
			t.Errorf("epoch %d is better than %d", e.Number, best)
		}
	}
}

// A training that is resumed after its process has died goes on where it was, to the same bits. A checkpoint that is
// damaged is told of, and training begins anew; that of another seed is another.
func TestTrain_Resume(t *testing.T) {
	for _, optimizer := range long.Draw(t, []string{neural.Adam, neural.SGD}, 1) {
		t.Run(optimizer, func(t *testing.T) {
			model, _ := neural.Lookup("gcn")
			model.Training.Epochs, model.Training.Patience, model.Training.Optimizer = 60, 50, optimizer
			if optimizer == neural.SGD {
				model.Training.Momentum, model.Training.Schedule = 0.9, neural.Cosine
			}
			resumeTraining(t, model)
		})
	}
}

func resumeTraining(t *testing.T, model neural.Model) {
	db := ring(t, 300)
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.4,0.3,0.3", Seed: 1, Resume: true,
		CheckpointEvery: 1, Features: neural.FeatureSpec{Property: "x"}}
	whole := request
	whole.Resume = false
	want, err := db.Train(t.Context(), "g", whole, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	die := func(after int) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := db.Train(ctx, "g", request, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
			if e.Number == after {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	resume := func(request host.TrainRequest) (got *host.Trained, notices []error) {
		t.Helper()
		got, err := db.Train(t.Context(), "g", request,
			host.TrainEvents{Noticed: func(err error) { notices = append(notices, err) }})
		if err != nil {
			t.Fatal(err)
		}
		if got.Report.Seconds.Epoch <= 0 || len(got.Report.Epochs) != len(want.Report.Epochs) {
			t.Errorf("%d epochs, not %d", len(got.Report.Epochs), len(want.Report.Epochs))
		}
		return got, notices
	}
	die(20)
	die(33)
	other := request
	other.Seed++
	if got, _ := resume(other); got.Report.Resumed != 0 {
		t.Errorf("another seed goes on after epoch %d", got.Report.Resumed)
	}
	got, notices := resume(request)
	if got.Report.Resumed != 33 || len(notices) > 0 {
		t.Errorf("it goes on after epoch %d: %v", got.Report.Resumed, notices)
	}
	if fmt.Sprint(got.Model.Parameters) != fmt.Sprint(want.Model.Parameters) || got.Model.Best != want.Model.Best {
		t.Error("other bits than in one go")
	}
	if left, err := filepath.Glob(filepath.Join(db.checkpoints(), "*")); len(left) > 0 || err != nil {
		t.Errorf("%v are left: %v", left, err)
	}
	die(10)
	files, err := filepath.Glob(filepath.Join(db.checkpoints(), "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(files[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	got, notices = resume(request)
	if got.Report.Resumed != 0 || len(notices) != 1 || !errors.As(notices[0], new(*host.CheckpointError)) {
		t.Errorf("a damaged checkpoint: it goes on after epoch %d, %v", got.Report.Resumed, notices)
	}
}
