package instance

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/allowlist"
	"github.com/penstock-db/penstock/store"
)

// Whatever may name a device is held to what is enabled in the database, as it is at that moment.
func TestPlaces_NotEnabled(t *testing.T) {
	db := loadedTables(t, ":ID,x:float[],y:int\n1,1,0\n2,0,1\n3,1,1\n4,0,0\n5,1,0\n6,0,1\n",
		":START_ID,:END_ID,rating:float\n1,2,1\n3,4,2\n5,6,3\n", LoadOptions{})
	on := host.On{Device: "mine"}
	learning, _ := host.NewLearning("mf")
	learning.Options().On = on
	gcn, _ := neural.Lookup("gcn")
	train := host.TrainRequest{Model: gcn, Features: neural.FeatureSpec{Property: "x"}, Label: "y", On: on}
	learned := func(request host.TrainRequest) *trained.Model {
		t.Helper()
		request.On = host.On{}
		got, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
		must(t, err)
		return got.Model
	}
	network := learned(train)
	edges := train
	edges.Features, edges.Label, edges.Links, edges.Embedding = neural.FeatureSpec{}, "", true, 2
	pairs := learned(edges)
	ask := map[string]func() error{
		"run": func() error {
			_, err := db.Run(t.Context(), "g", host.Request{Algorithm: "pagerank", Device: "mine"}, host.Events{})
			return err
		},
		"estimate": func() error {
			_, err := db.On("g", store.Projection{}).Estimate(t.Context(), host.Request{Algorithm: "pagerank", Device: "mine"})
			return err
		},
		"train": func() error {
			_, err := db.Train(t.Context(), "g", train, host.TrainEvents{})
			return err
		},
		"learn": func() error {
			_, err := Learn(t.Context(), db, "g", learning, host.TrainEvents{})
			return err
		},
		"predict": func() error {
			_, err := db.Predict(t.Context(), "g", network, false, on)
			return err
		},
		"pairs": func() error {
			_, err := PredictIDs(t.Context(), db, "g", pairs, [][2]string{{"1", "2"}}, on)
			return err
		},
		"recommend": func() error {
			_, err := Recommend(t.Context(), db, "g", pairs, RecommendRequest{Top: 1, On: on})
			return err
		},
		"explain": func() error {
			_, err := ExplainLearning(t.Context(), db, "g", learning)
			return err
		},
		"statement": func() error {
			r, err := db.Query(t.Context(), "g", "CALL algo.pagerank.stats({device: 'mine'})", nil)
			if err != nil {
				return err
			}
			for r.Next() {
			}
			return errors.Join(r.Err(), r.Close())
		},
		"ml statement": func() error {
			r, err := db.Query(t.Context(), "g",
				"CALL ml.train('gcn', {features: 'x', label: 'y', device: 'mine', save: 'm'})", nil)
			if err != nil {
				return err
			}
			for r.Next() {
			}
			return errors.Join(r.Err(), r.Close())
		},
		"ml.explain": func() error {
			r, err := db.Query(t.Context(), "g",
				"CALL ml.explain('gcn', {features: 'x', label: 'y', device: 'mine'})", nil)
			if err != nil {
				return err
			}
			for r.Next() {
			}
			return errors.Join(r.Err(), r.Close())
		},
	}
	for name, do := range ask {
		if err := do(); err == nil || !strings.Contains(err.Error(), `no plugin "mine"`) {
			t.Errorf("%s, without a list: %v", name, err)
		}
	}
	must(t, allowlist.Enable(db.dir, "other"))
	for name, do := range ask {
		var refused *host.NotEnabledError
		if err := do(); !errors.As(err, &refused) || refused.Plugin != "mine" || refused.Database != db.dir {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, allowlist.Enable(db.dir, "mine"))
	for name, do := range ask {
		if err := do(); err == nil || !strings.Contains(err.Error(), `no plugin "mine"`) {
			t.Errorf("%s, enabled: %v", name, err)
		}
	}
}
