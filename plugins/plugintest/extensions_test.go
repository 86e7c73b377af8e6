package plugintest

import (
	"context"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// boaster is the reference device, which has no extension, with another word for what it has.
type boaster struct {
	plugins.Device
	names []plugins.Extension
	plans func(plugins.Task, *plugins.Plan) // what its plans say besides; nil: nothing
}

func (b boaster) Describe(ctx context.Context) (plugins.Description, error) {
	d, err := b.Device.Describe(ctx)
	d.Programs, d.Extensions = []string{"bfs"}, b.names
	return d, err
}

func (b boaster) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	s, err := b.Device.Open(ctx, job)
	return boasting{s, b.plans}, err
}

type boasting struct {
	plugins.Session
	plans func(plugins.Task, *plugins.Plan)
}

func (b boasting) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	plan, err := b.Session.Compile(ctx, task)
	if err == nil && b.plans != nil {
		b.plans(task, &plan)
	}
	return plan, err
}

// A device that names what it does not take up fails, as does one that takes up what it does not name.
func TestKeepsWord(t *testing.T) {
	restores := func(task plugins.Task, p *plugins.Plan) { p.Restores = task.Restorable }
	for _, c := range []struct {
		names []plugins.Extension
		plans func(plugins.Task, *plugins.Plan)
		of    plugins.Extension
		says  string
	}{
		{[]plugins.Extension{plugins.ExtensionRestore}, restores, plugins.ExtensionRestore, ""},
		{[]plugins.Extension{plugins.ExtensionRestore}, restores, plugins.ExtensionSettle, ""},
		{[]plugins.Extension{plugins.ExtensionRestore}, nil, plugins.ExtensionRestore, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionSettle}, nil, plugins.ExtensionSettle, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionShares}, nil, plugins.ExtensionShares, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionParts}, nil, plugins.ExtensionParts, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionSelects}, nil, plugins.ExtensionSelects, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionLanes}, nil, plugins.ExtensionLanes, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionFiles}, nil, plugins.ExtensionFiles, "takes it up in no task"},
		{[]plugins.Extension{plugins.ExtensionSettle}, restores, plugins.ExtensionRestore, "does not name"},
	} {
		err := keepsWord(t, testseed.Rand(t), boaster{reference.New(), c.names, c.plans}, c.of)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("names %v, %s: %v; expected %q", c.names, c.of, err, c.says)
		}
	}
}
