// Package reference is a device that computes with the definitions themselves: vertex
// programs with algorithms.Interpreter, procedures with their oracles. It is slow, right
// and single-threaded, and shows all that a device must do besides computing.
//
//	Open     ──▶ session                                          (device.go)
//	Compile  task ──▶ what it will take of the budget             (compile.go)
//	Upload   arena range ──▶ chunk, checked, read in place         (chunks.go)
//	Init, Step, Apply, Iterate, Call ──▶ columns in the arena      (session.go, columns.go)
package reference

import (
	"context"
	"math"
	"runtime"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// New is the device.
func New() plugins.Device { return device{} }

type device struct{}

func (device) Describe(context.Context) (plugins.Description, error) {
	d := plugins.Description{
		Name:     "reference",
		Version:  "1.0.0",
		Hardware: "one thread on " + runtime.GOARCH,
		Threads:  1,
	}
	for _, a := range algorithms.All() {
		if a.Procedure != nil {
			d.Procedures = append(d.Procedures, a.Name)
		}
	}
	return d, nil
}

func (device) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	if job.Arena == nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "a session needs an arena")
	}
	if job.Graph.Vertices > math.MaxUint32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "%d vertices: this device numbers them in 32 bits", job.Graph.Vertices)
	}
	return &session{job: job, chunks: map[uint32]*resident{}}, nil
}
