// Package reference is a device that computes with the definitions themselves: vertex
// programs with algorithms.Interpreter, procedures with their oracles. It is slow, right
// and single-threaded. The kit (plugins/kit) obeys commands, checks chunks and keeps the
// budget; what is left is what a device computes.
//
//	Describe, Open                 what the device is               device.go
//	Compile ──▶ kit.Compiled       what a task takes                compile.go
//	Init, Step, Apply              the vertex program               program.go
//	Call                           the procedure                    procedure.go
package reference

import (
	"context"
	"runtime"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

const name = "reference"

// New is the device.
func New() plugins.Device { return device{} }

type device struct{}

// Describe says what the device is, and which procedures it has.
func (device) Describe(context.Context) (plugins.Description, error) {
	d := plugins.Description{Name: name, Version: "1.0.0", Hardware: "one thread on " + runtime.GOARCH, Threads: 1}
	for _, a := range catalog.All() {
		if a.Procedure != nil {
			d.Procedures = append(d.Procedures, a.Name)
		}
	}
	return d, nil
}

// Open begins a session.
func (device) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	return kit.Open(kit.Setup{
		Device: name,
		Job:    job,
		Compile: func(_ context.Context, task plugins.Task, budget *kit.Budget) (kit.Compiled, error) {
			return compile(job, task, budget)
		},
	})
}
