package faulty_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins"
)

// extended is a computation that takes up an extension.
type extended struct {
	name    string
	command string // that the session is given again and again, or once
	middle  int    // which of these is in the middle, or the only one
	do      func(*harness, *testing.T, time.Duration) error
}

func run(request penstock.Request) func(*harness, *testing.T, time.Duration) error {
	return func(h *harness, t *testing.T, timeout time.Duration) error {
		request.Device, request.Timeout = h.self, timeout
		result, err := h.db.Run(t.Context(), "x", request)
		if err != nil {
			return err
		}
		result.Close()
		return nil
	}
}

func train(request penstock.TrainRequest, devices int) func(*harness, *testing.T, time.Duration) error {
	return func(h *harness, t *testing.T, timeout time.Duration) error {
		request.Model, request.Label, request.Features, request.Split = "sage", "grade", "x", "0.6,0.2,0.2"
		request.Settings = map[string]float64{"epochs": 2, "patience": 0}
		request.Device, request.Timeout = strings.Repeat(","+h.self, devices)[1:], timeout
		_, err := h.db.Train(t.Context(), "x", request)
		return err
	}
}

func learn(workers string) func(*harness, *testing.T, time.Duration) error {
	return func(h *harness, t *testing.T, timeout time.Duration) error {
		_, err := h.db.Learn(t.Context(), "x", penstock.LearnRequest{Model: "mf",
			Settings:  map[string]any{"rank": 2, "epochs": 2, "workers": workers},
			Placement: penstock.Placement{Device: h.self, Timeout: timeout}})
		return err
	}
}

// along asks for the shortest paths of a graph that is one.
func (h *harness) along() penstock.Request {
	return penstock.Request{Algorithm: "sssp", Params: map[string]string{"source": "0", "weight": "length"},
		Device: h.self, DeviceMemory: h.room}
}

// wave goes along the path, which does not fit, nearest first.
func wave(h *harness, t *testing.T, timeout time.Duration) error {
	request := h.along()
	request.Timeout = timeout
	result, err := h.db.Run(t.Context(), "path", request)
	if err != nil {
		return err
	}
	defer result.Close()
	if result.Report.Kernel != "nearest first" {
		return fmt.Errorf("no wave, but %s: %s", result.Report.Kernel, result.Report.Why)
	}
	return nil
}

var extensions = []extended{
	{"nearest", "settle", 2, wave},
	{"paths", "call", 1, run(penstock.Request{Algorithm: "shortest-paths",
		Params: map[string]string{"source": "0", "target": "150", "weight": "rating"}})},
	{"vectors", "call", 1, run(penstock.Request{Algorithm: "knn", Params: map[string]string{"nodeProperties": "x"}})},
	{"networks", "pass", 3, train(penstock.TrainRequest{}, 1)},
	{"batches", "pass", 7, train(penstock.TrainRequest{Batches: penstock.Batches{Size: 16, Fanout: []int{2, 2}}}, 1)},
	{"portions", "pass", 7, train(penstock.TrainRequest{Batches: penstock.Batches{Size: 16, Fanout: []int{2, 2}}}, 2)},
	{"several", "pass", 3, train(penstock.TrainRequest{}, 2)},
	{"workers", "call", 1, learn("2")},
	{"processes", "call", 1, learn("2x1")},
}

// bipartite loads a graph of 100 nodes that have edges to 100 others, with features, classes and ratings.
func (h *harness) bipartite(t *testing.T) {
	t.Helper()
	var nodes, edges strings.Builder
	nodes.WriteString(":ID,x:double[],grade:int\n")
	edges.WriteString(":START_ID,:END_ID,rating:double\n")
	for v := range 200 {
		fmt.Fprintf(&nodes, "%d,%d;%d;1,%d\n", v, v%7, v%3, v%2)
		for i := range 5 * (1 - v/100) {
			fmt.Fprintf(&edges, "%d,%d,%d\n", v, 100+(v*(i+1)+50*i)%100, 1+(v+i)%5)
		}
	}
	files := []string{filepath.Join(t.TempDir(), "nodes.csv"), filepath.Join(t.TempDir(), "edges.csv")}
	for i, text := range []string{nodes.String(), edges.String()} {
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.db.Load(t.Context(), "x", files, penstock.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
}

// path loads one of edges of different lengths, and finds out how little memory it does not fit.
func (h *harness) path(t *testing.T) {
	t.Helper()
	var edges strings.Builder
	edges.WriteString(":START_ID,:END_ID,length:double\n")
	for v := range 60_000 {
		fmt.Fprintf(&edges, "%d,%d,%d\n", v, v+1, 1+v%7)
	}
	file := filepath.Join(t.TempDir(), "edges.csv")
	if err := os.WriteFile(file, []byte(edges.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.db.Load(t.Context(), "path", []string{file}, penstock.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	all, err := h.db.Estimate(t.Context(), "path", h.along())
	if err != nil {
		t.Fatal(err)
	}
	h.room = all.Resident * 6 / 10
}

// Whatever a device does in the place of what extensions ask for, and whenever, the run ends with an error that says
// so, or well where that is nobody's to notice; nothing is left of it, and the next run succeeds.
func TestMatrix_Extensions(t *testing.T) {
	h := newHarness(t)
	h.bipartite(t)
	h.path(t)
	type cell struct {
		extended
		fault, moment string
		kinds         []plugins.Kind // of the error; none: any, or no error
	}
	died, hung := []plugins.Kind{plugins.KindDied}, []plugins.Kind{plugins.KindHung}
	wrong := []plugins.Kind{plugins.KindInternal}
	var cells []cell
	for _, x := range extensions {
		middle := fmt.Sprintf("%s %d", x.command, x.middle)
		cells = append(cells, cell{x, "die", "open", died}, cell{x, "hang", "open", hung}, cell{x, "die", middle, died},
			cell{x, "misstate", middle, wrong}, cell{x, "lie", middle, nil},
			cell{x, "die", "close", nil}, cell{x, "hang", "close", nil})
		if long.Tests() { // it takes ten times the timeout, for the device still describes itself
			cells = append(cells, cell{x, "hang", middle, hung})
		}
	}
	for _, c := range long.Draw(t, cells, 6) {
		t.Run(c.name+", "+c.fault+" at "+c.moment, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(faultsVariable, c.fault+" at "+c.moment)
			timeout := time.Minute
			if c.fault == "hang" {
				timeout = 2 * time.Second // it also has to start within that
			}
			err := c.do(h, t, timeout)
			if len(c.kinds) > 0 && plugins.KindOf(err) != c.kinds[0] {
				t.Errorf("error %v, not of kind %v", err, c.kinds[0])
			}
			if left := children(t); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
			if err := h.db.Verify(t.Context(), "x"); err != nil {
				t.Errorf("the database: %v", err)
			}
			t.Setenv(faultsVariable, "")
			if err := c.do(h, t, time.Minute); err != nil {
				t.Errorf("the next run: %v", err)
			}
		})
	}
}
