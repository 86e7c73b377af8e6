package instance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Two devices, one of which looks at edges, learn what one does. Each has computed products, and both at once: without
// intervals, no command is sent while the other is at work.
func TestTrain_Halves(t *testing.T) {
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	models := []neural.Model{}
	for _, name := range []string{"gcn", "gat", "sage-max", "g-gcn", "gg-nn", "commnet", "mlp", "sage"} {
		model, _ := neural.Lookup(name)
		models = append(models, model)
	}
	orientations := []formats.Orientation{formats.Directed, formats.Undirected}
	for _, model := range append(long.Draw(t, models, 2), models[0]) {
		for _, orientation := range long.Draw(t, orientations, 1) {
			t.Run(fmt.Sprintf("%s/%v", model.Name, orientation), func(t *testing.T) {
				db := tangle(t, r, 900+r.IntN(300), orientation)
				request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0.2,0.2", Seed: seed,
					Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1 + r.IntN(3)}}
				if r.IntN(2) == 0 {
					request.Features = neural.FeatureSpec{Property: "words", MultiHot: 60}
				}
				request.Model.Training.Epochs, request.Model.Training.Patience = 6, 0
				compareHalves(t, db, request)
			})
		}
	}
}

func compareHalves(t *testing.T, db *DB, request host.TrainRequest) {
	t.Helper()
	one, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	request.Device = "cpu+cpu"
	two, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range one.Report.Epochs {
		if got := two.Report.Epochs[i].Loss; math.Abs(got-e.Loss) > 1e-4*max(1, math.Abs(e.Loss)) {
			t.Errorf("epoch %d: a loss of %v, not %v", e.Number, got, e.Loss)
		}
	}
	h := two.Report.Halves
	if h == nil || h.Products[0] == 0 || h.Products[1] == 0 {
		t.Fatalf("products of the devices: %+v", h)
	}
	edges := 0
	for _, s := range h.Stages {
		edges += s.Edges
		if s.Pass == 0 && !s.Once && s.Rows > 0 && (s.Runs[0] < 2 || s.Runs[1] < 2) {
			t.Errorf("each device is tried: %+v", s)
		}
	}
	if (h.Together > 0) != (edges > 0) {
		t.Errorf("%d commands while the other was at work, in %d intervals, of %d halves along edges", h.Together, h.Intervals,
			edges)
	}
}
