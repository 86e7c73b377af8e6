package instance

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// A device that is killed ends the training of edges with an error that says so. Resumed, it goes on to the bits of one
// that was not: vectors, biases and what is said of pairs, each with its optimizer, over the whole graph, on several
// devices, and in batches.
func TestTrainEdges_Dies(t *testing.T) {
	seed := testseed.New(t)
	db := rated(t, seed, 1200, formats.Undirected, func(string) bool { return true })
	for name, change := range map[string]func(*host.TrainRequest){"whole": func(*host.TrainRequest) {},
		"several": func(r *host.TrainRequest) { r.Device = chainOf(2) },
		"batches": func(r *host.TrainRequest) { r.Batch, r.Fanout = 700, host.Fanouts{4, 2} }} {
		request := edgeTasks(seed)["values"]
		request.Model.Training.Epochs, request.Model.Training.Patience = 9, 0
		change(&request)
		one := trainEdges(t, db, request)
		request.Resume, request.CheckpointEvery = true, 1
		var pids []int
		_, err := db.Train(t.Context(), "g", request, host.TrainEvents{
			Launched: func(l host.Launch) { pids = append(pids, l.PID) },
			Trained: func(e host.TrainingEpoch) {
				if e.Number == 4 {
					syscall.Kill(pids[len(pids)-1], syscall.SIGKILL)
				}
			}})
		var died *plugins.Error
		if !errors.As(err, &died) || died.Kind != plugins.KindDied {
			t.Fatalf("%s: %v", name, err)
		}
		resumed := trainEdges(t, db, request)
		if resumed.Report.Resumed < 4 || resumed.Report.Resumed == 9 {
			t.Errorf("%s: it went on after epoch %d", name, resumed.Report.Resumed)
		}
		compareNumbers(t, name+", killed and resumed", one, resumed)
		if a, b := one.Model.Scores["test"], resumed.Model.Scores["test"]; *a.RMSE != *b.RMSE || *a.MAE != *b.MAE {
			t.Errorf("%s: other scores, %v and %v", name, *a.RMSE, *b.RMSE)
		}
	}
}

// What nothing can be learned from is named before anything is learned: where it stands, and what to do.
func TestTrainEdges_Refuses(t *testing.T) {
	const nodes = ":ID,x:double[],ragged:double[]\na,1;2,1\nb,2;3,1;2\nc,0;1,1\n"
	edges := func(rows ...string) string {
		return ":START_ID,:END_ID,rating:double,many:double[],part:string\n" + strings.Join(rows, "\n") + "\n"
	}
	sound := edges("a,b,1,1;2,train", "b,c,2,3,train", "c,a,,4,test")
	model, _ := neural.Lookup("sage")
	model.Training.Epochs = 1
	for _, c := range []struct {
		edges   string
		request host.TrainRequest
		says    string
	}{
		{edges("a,b,1,1,train", "b,c,1e300,1,train"), host.TrainRequest{EdgeLabel: "rating"},
			`edge property "rating" of graph g of b → c is 1e+300, which is too large; numbers are up to 3.4e+38 in size`},
		{edges("a,b,,1,train", "b,c,,1,train"), host.TrainRequest{EdgeLabel: "rating"},
			"has no value at any edge: there is nothing to learn"},
		{sound, host.TrainRequest{EdgeLabel: "many"}, "values of edges are numbers"},
		{sound, host.TrainRequest{EdgeLabel: "part"}, "values of edges are numbers"},
		{sound, host.TrainRequest{EdgeLabel: "rting"}, `has no edge property "rting"`},
		{edges("a,b,1,1,test", "b,c,2,1,test"), host.TrainRequest{EdgeLabel: "rating", Split: "part"},
			"split part has no edge for training among the 2 that can be learned from"},
		{edges("a,b,1,1,train", "c,a,,4,train", "b,c,2,1,"), host.TrainRequest{EdgeLabel: "rating", Split: "0,0,1"},
			"a split of 0,0,1: shares add up to at most 1, and some"},
		{edges("a,b,1,1,train", "b,c,2,1,trian"), host.TrainRequest{EdgeLabel: "rating", Split: "part"},
			`of b → c says "trian"; a split says train, validation or test`},
		{edges("a,b,1,1,train", "a,b,2,1,test"), host.TrainRequest{EdgeLabel: "rating", Split: "part"},
			"of a → b says train and test of edges between the same vertices"},
		{edges("a,a,1,1,train"), host.TrainRequest{Links: true}, "there are no links to learn"},
		{sound, host.TrainRequest{EdgeLabel: "rating", Features: neural.FeatureSpec{Property: "ragged"}}, "ragged"},
	} {
		db := loadedTables(t, nodes, c.edges, LoadOptions{Orientation: formats.Directed})
		if c.request.Model = model; c.request.Features.Property == "" {
			c.request.Features.Property = "x"
		}
		_, err := db.Train(t.Context(), "g", c.request, host.TrainEvents{})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, which does not say %q", fmt.Sprint(c.request.EdgeLabel, c.request.Split), err, c.says)
		}
	}
}

// Edges without a value are counted, and pass messages: a model without them learns something else. Nothing is learned
// from them, so their part of the split does not matter.
func TestTrainEdges_Unlabeled(t *testing.T) {
	table := func(rows ...string) *DB {
		return loadedTables(t, ":ID,x:double\n0,1\n1,3\n2,-2\n3,0.5\n", ":START_ID,:END_ID,rating:double,part:string\n"+
			strings.Join(rows, "\n")+"\n", LoadOptions{Orientation: formats.Directed})
	}
	labeled := []string{"0,1,1,train", "1,2,2,train", "2,0,3,train", "3,1,4,train"}
	model, _ := neural.Lookup("sage")
	model.Training.Epochs = 3
	request := host.TrainRequest{Model: model, EdgeLabel: "rating", Split: "part", Seed: 3,
		Features: neural.FeatureSpec{Property: "x"}}
	with := trainEdges(t, table(append(labeled, "3,0,,train", "0,2,,test")...), request)
	if with.Report.Unlabelled != 2 || with.Report.Split["train"] != 4 || with.Report.Split["test"] != 0 {
		t.Errorf("%d without a value, split %v", with.Report.Unlabelled, with.Report.Split)
	}
	compareNumbers(t, "another part of what has no value", with,
		trainEdges(t, table(append(labeled, "3,0,,test", "0,2,,")...), request))
	without := trainEdges(t, table(labeled...), request)
	if fmt.Sprint(with.Model.Parameters) == fmt.Sprint(without.Model.Parameters) {
		t.Error("edges without a value pass no messages")
	}
}
