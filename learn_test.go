package penstock

import (
	"encoding/json"
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

// How a learning would go is told before it, and nothing is kept; what Learn would refuse is refused.
func TestExplain(t *testing.T) {
	db := openNew(t)
	one(t, db, `UNWIND range(0, 19) AS i CREATE (s:Sample {label: i % 2}), (f:Feature {n: i})
		WITH collect(s) AS samples, collect(f) AS features UNWIND samples AS s UNWIND features AS f
		WITH s, f WHERE s.label = f.n % 2 OR f.n < 2 CREATE (s)-[:HAS {value: 1.0}]->(f) RETURN count(*)`, nil)
	request := LearnRequest{Model: "lr", Save: "kind",
		Settings: map[string]any{"split": "1,0,0", "workers": 2, "blocks": 3, "epochs": 50}}
	plan, err := db.ExplainLearn(t.Context(), "g", request)
	var all struct {
		Workers []struct{ Edges uint64 }
		Clocks  int `json:"clocks_an_epoch"` // three blocks, and two barriers
	}
	if err == nil {
		err = json.Unmarshal(plan.JSON, &all)
	}
	if err != nil || plan.Model != "lr" || plan.Graph != "g" || plan.Device != "cpu" || plan.Epochs != 50 ||
		plan.Need == 0 || plan.Need > plan.Budget || len(all.Workers) != 2 || all.Clocks != 5 {
		t.Fatalf("%v: %+v, %+v", err, plan, all)
	}
	network := TrainRequest{Model: "sage", Edges: EdgeTask{Links: true}, Embedding: 4, Save: "kind"}
	of, err := db.ExplainTrain(t.Context(), "g", network)
	if err != nil || of.Model != "sage" || of.Epochs != 200 || of.Need == 0 || of.Need > of.Budget || of.Snapshot == 0 {
		t.Fatalf("%v: %+v", err, of)
	}
	if models, err := db.Models(t.Context()); err != nil || len(models) > 0 {
		t.Errorf("%v, %v", models, err)
	}
	if m, err := db.Learn(t.Context(), "g", request); err != nil || m.Snapshot != plan.Snapshot {
		t.Fatalf("%+v was foretold as %+v: %v", m, plan, err)
	}
	// There is a model of that name now, and what cannot be learned is not foretold.
	for _, spoil := range []func(*LearnRequest){
		func(*LearnRequest) {}, func(r *LearnRequest) { r.Save, r.Model = "", "gcn" },
		func(r *LearnRequest) { r.Save, r.Settings = "", map[string]any{"epochs": 0} },
		func(r *LearnRequest) { r.Save, r.Settings = "", map[string]any{"rank": 3} },
		func(r *LearnRequest) { r.Save, r.DeviceMemory = "", 1000 },
	} {
		bad := request
		spoil(&bad)
		if plan, err := db.ExplainLearn(t.Context(), "g", bad); err == nil {
			t.Errorf("%+v: %+v", bad, plan)
		}
	}
	for _, spoil := range []func(*TrainRequest){
		func(*TrainRequest) {}, func(r *TrainRequest) { r.Save, r.Model = "", "mf" },
		func(r *TrainRequest) { r.Save, r.Embedding = "", 0 }, func(r *TrainRequest) { r.Save, r.DeviceMemory = "", 1000 },
	} {
		bad := network
		spoil(&bad)
		if plan, err := db.ExplainTrain(t.Context(), "g", bad); err == nil {
			t.Errorf("%+v: %+v", bad, plan)
		}
	}
	if _, err := db.ExplainLearn(t.Context(), "nowhere", LearnRequest{Model: "mf"}); !errors.Is(err, ErrUnknownGraph) {
		t.Error(err)
	}
}
