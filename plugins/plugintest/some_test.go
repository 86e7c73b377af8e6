package plugintest

import (
	"context"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/plugins"
)

// some is the reference device that runs the programs that it lists alone.
type some struct {
	plugins.Device
	programs []string
}

func (d some) Describe(ctx context.Context) (plugins.Description, error) {
	described, err := d.Device.Describe(ctx)
	described.Programs = d.programs
	return described, err
}

func (d some) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	s, err := d.Device.Open(ctx, job)
	return someSession{s, d.programs}, err
}

type someSession struct {
	plugins.Session
	programs []string
}

func (s someSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	if task.Program != nil && !slices.Contains(s.programs, task.Program.Name) {
		return plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "program %q is not one of %q", task.Program.Name,
			s.programs)
	}
	return s.Session.Compile(ctx, task)
}

// A device that runs some programs of the catalog alone passes the suite, if it says so.
func TestRun_SomePrograms(t *testing.T) {
	Run(t, func(*testing.T) plugins.Device { return some{reference.New(), []string{"bfs", "sssp"}} })
}
