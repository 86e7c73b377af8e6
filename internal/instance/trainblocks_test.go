package instance

import (
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats/sbm"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// The stochastic block model has limits of what can be found out (Decelle et al., Physical Review E 2011). With two
// classes, edges tell nothing where a half of them leads to the other class, and more the farther the share is from
// that. Features alone tell little here: they are normal, with means half a deviation apart.
func TestTrain_DetectabilityLimits(t *testing.T) {
	long.Unraced(t)
	seed := testseed.New(t)
	accuracy := func(name string, mixing float64) float64 {
		t.Helper()
		source, err := sbm.New(sbm.Options{Scale: 11, EdgeFactor: 8, Classes: 2, Features: 16, Mixing: mixing, Signal: 0.1,
			Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		db, err := Open(filepath.Join(t.TempDir(), "db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Generate(t.Context(), "g", source, LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		model, _ := neural.Lookup(name)
		model.Training.Epochs, model.Training.Dropout = 60, 0
		trained, err := db.Train(t.Context(), "g", host.TrainRequest{Model: model, Label: "class", Split: "0.5,0.1,0.4",
			Features: neural.FeatureSpec{Property: "features"}, Seed: seed}, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		got := *trained.Model.Scores["test"].Accuracy
		t.Logf("%s, %g to the other class: %.3f", name, mixing, got)
		return got
	}
	alone := accuracy("mlp", 0.5)
	for mixing, low := range map[float64]float64{0: 0.95, 0.1: 0.85, 0.9: 0.85, 1: 0.95} {
		if got := accuracy("sage", mixing); got < max(low, alone+0.15) {
			t.Errorf("%g of the edges lead to the other class: accuracy %.3f, by features alone %.3f", mixing, got, alone)
		}
	}
	if got := accuracy("sage", 0.5); got > alone+0.08 {
		t.Errorf("edges that say nothing: accuracy %.3f, by features alone %.3f", got, alone)
	}
}
