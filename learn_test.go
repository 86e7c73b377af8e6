package penstock

import (
	"errors"
	"testing"
)

// What has not converged is kept, and its user is told; what has, and what is wrong, is not noticed.
func TestLearn_Notice(t *testing.T) {
	db := openNew(t)
	one(t, db, `UNWIND range(0, 19) AS i CREATE (s:Sample {label: i % 2}), (f:Feature {n: i})
		WITH collect(s) AS samples, collect(f) AS features UNWIND samples AS s UNWIND features AS f
		WITH s, f WHERE s.label = f.n % 2 OR f.n < 2 CREATE (s)-[:HAS]->(f) RETURN count(*)`, nil)
	learn := func(settings map[string]any) (Model, []error, int, error) {
		var noticed []error
		epochs := 0
		settings["split"] = "1,0,0"
		model, err := db.Learn(t.Context(), "g", LearnRequest{Model: "lr", Settings: settings, Save: "kind", Replace: true,
			Progress: func(epoch int, _ float64) { epochs = epoch }, Notice: func(err error) { noticed = append(noticed, err) }})
		return model, noticed, epochs, err
	}
	model, noticed, epochs, err := learn(map[string]any{"epochs": 1, "tolerance": 1e-9})
	if err != nil || len(noticed) != 1 || !errors.Is(noticed[0], ErrUnconverged) || epochs != 1 || model.Epochs != 1 {
		t.Errorf("after an epoch: %v, noticed %v, %d epochs, %+v", err, noticed, epochs, model)
	}
	model, noticed, epochs, err = learn(map[string]any{})
	if err != nil || len(noticed) != 0 || epochs < 2 || model.Accuracy["train"] != 1 {
		t.Errorf("%v, noticed %v, %d epochs, %+v", err, noticed, epochs, model)
	}
	for _, settings := range []map[string]any{{"epochs": 0}, {"rank": 3}, {"l2": "much"}, {"l2": -1.0}} {
		if _, noticed, _, err := learn(settings); err == nil || len(noticed) > 0 {
			t.Errorf("%v was taken", settings)
		}
	}
	if _, err := db.Learn(t.Context(), "g", LearnRequest{Model: "gcn"}); err == nil {
		t.Error("gcn is a program that learns")
	}
}
