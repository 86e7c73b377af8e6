package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// onceVariable makes this test program, as a plugin, a device that refuses to plan anything twice.
var onceVariable = ownVariable("ONCE")

// bePlanningOnce serves when this program has been started as such a plugin.
func bePlanningOnce() {
	if os.Getenv(onceVariable) != "" {
		planned := new(sync.Map)
		serve(wrapped{cpu.New(cpu.Options{}), func(s plugins.Session, job plugins.Job) plugins.Session {
			return onceSession{s, job, planned}
		}})
	}
}

type onceSession struct {
	plugins.Session
	job     plugins.Job
	planned *sync.Map
}

func (s onceSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	asked := task
	asked.Program = nil // programs for all vertices and for intervals differ in how many vertices there are
	question := fmt.Sprintf("%d bytes, %d vertices, %+v", s.job.Budget, s.job.Graph.Vertices, asked)
	if _, twice := s.planned.LoadOrStore(question, true); twice {
		return plugins.Plan{}, plugins.Errorf(plugins.KindInvalid, "planned twice: %s", question)
	}
	return s.Session.Compile(ctx, task)
}

// However many ways an estimate looks at, the device plans nothing twice.
func TestEstimate_AsksDevicesOnce(t *testing.T) {
	t.Setenv(onceVariable, "1")
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	snap := random(testseed.Rand(t), 10_000, 40_000, true, false, false).stored(t, 16<<10)
	for _, budget := range []uint64{0, 400_000} {
		req := Request{Algorithm: "pagerank", Device: self, DeviceMemory: budget}
		if _, err := Estimate(context.Background(), snap, req); err != nil {
			t.Errorf("within %d: %v", budget, err)
		}
	}
}
