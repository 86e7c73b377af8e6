package instance

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// What is said before a training is what the training then has, on one device and on two, and in little memory.
func TestPlanTraining(t *testing.T) {
	db := ring(t, 3000)
	model, _ := neural.Lookup("sage")
	model.Training.Epochs = 1
	for name, change := range map[string]func(*host.TrainRequest){
		"resident": func(*host.TrainRequest) {},
		"pieces":   func(r *host.TrainRequest) { r.DeviceMemory = 2_000_000 },
		"devices":  func(r *host.TrainRequest) { r.Device = "cpu,cpu" },
		"batches":  func(r *host.TrainRequest) { r.Batch, r.Fanout = 100, host.Fanouts{2, 2} },
		"links":    func(r *host.TrainRequest) { r.Label, r.Links, r.Split, r.Batch = "", true, "0.5,0,0.5", 1000 },
	} {
		t.Run(name, func(t *testing.T) {
			request := host.TrainRequest{Model: model, Label: "grade", Split: "0.5,0.1,0.4",
				Features: neural.FeatureSpec{Property: "x"}, On: host.On{Threads: 1}}
			change(&request)
			plan, err := db.On("g", store.Projection{}).PlanTraining(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			learned, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
			if err != nil {
				t.Fatal(err)
			}
			r := learned.Report
			if plan.Parameters != learned.Model.Count() || plan.Device != r.Device || plan.Kernel != r.Kernel ||
				plan.Epochs != 1 {
				t.Errorf("%+v, not %+v", plan, r)
			}
			if room := plan.Rooms[0]; room.Need < r.Peak || request.DeviceMemory > 0 && room.Need > request.DeviceMemory {
				t.Errorf("%+v, and a peak of %d", room, r.Peak)
			}
			comparePlan(t, plan, r)
		})
	}
}

func comparePlan(t *testing.T, plan *host.TrainPlan, r host.TrainReport) {
	t.Helper()
	if (plan.Pieces == nil) != (r.Pieces == nil) || (plan.Batches == nil) != (r.Batches == nil) ||
		len(plan.Devices) != len(r.Devices) || plan.Split["train"] != r.Split["train"] {
		t.Fatalf("%+v, not %+v", plan, r)
	}
	if r.Pieces != nil && (plan.Pieces.Intervals < 2 || plan.Pieces.Cells != r.Pieces.Cells ||
		plan.Pieces.Epoch != r.Pieces.Epoch) {
		t.Errorf("%+v, not %+v", plan.Pieces, r.Pieces)
	}
	if r.Batches != nil && (plan.Batches.Batches != r.Batches.Batches || plan.Batches.Edges == 0) {
		t.Errorf("%+v, not %+v", plan.Batches, r.Batches)
	}
	for i, d := range r.Devices {
		if plan.Devices[i].Edges != d.Edges || plan.Devices[i].Vertices != d.Vertices {
			t.Errorf("%+v, not %+v", plan.Devices[i], d)
		}
	}
}
