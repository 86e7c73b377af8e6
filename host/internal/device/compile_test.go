package device

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
)

// Devices work together only if each can see to a share, and all want the same chunks.
func TestJoin(t *testing.T) {
	able := plugins.Plan{Shares: true, Restores: true, ActiveRows: true, Directions: []chunk.Direction{chunk.Out},
		Fixed: 10, Kernel: "push"}
	alone, pulls, other := able, able, able
	alone.Shares, pulls.ActiveRows, other.Directions = false, false, []chunk.Direction{chunk.In}
	larger := able
	larger.Fixed, larger.Restores = 20, false
	for _, c := range []struct {
		plan plugins.Plan
		says string
	}{{alone, "b #2 computes with all vertices or none"}, {pulls, "different ways"}, {other, "different ways"},
		{larger, ""}} {
		g := &Group{req: plan.Request{Device: "a,b"}, Devices: []*Device{{Several: true, Name: "a #1", Plan: able},
			{Several: true, Name: "b #2", Plan: c.plan}}}
		all, err := g.join(true)
		var refusal *plan.DevicesError
		if errors.As(err, &refusal) != (c.says != "") || c.says != "" && !strings.Contains(refusal.Reason, c.says) {
			t.Errorf("%+v: error %v", c.plan, err)
		}
		if err == nil && (all.Fixed != 20 || all.Restores || !all.Shares) {
			t.Errorf("together %+v", all)
		}
	}
}

// asked is a device that counts the sessions that it is asked for.
type asked struct {
	plugins.Device
	times int
}

var errAsked = errors.New("asked")

func (a *asked) Open(context.Context, plugins.Job) (plugins.Session, error) {
	a.times++
	return nil, errAsked
}

// A device that has named its extensions is asked for no other, before it is given a session. One that has named none
// is asked.
func TestCompileOn_SparesARefusal(t *testing.T) {
	vertices := &chunk.Interval{Count: 10}
	type extensions = []plugins.Extension
	for _, c := range []struct {
		named         extensions
		share         *chunk.Interval
		parts, settle bool
		says          string
	}{
		{nil, vertices, true, true, ""},
		{extensions{plugins.ExtensionParts}, nil, true, false, ""},
		{extensions{plugins.ExtensionParts}, nil, true, true, "does not have the extension settle"},
		{extensions{plugins.ExtensionParts}, vertices, false, true, "b computes with all vertices or none"},
		{extensions{plugins.ExtensionShares}, vertices, false, false, ""},
		{extensions{plugins.ExtensionShares}, nil, true, false, "b computes with all edges or none"},
	} {
		plugin := &asked{}
		d := &Device{Name: "b", Share: c.share, About: plugins.Description{Extensions: c.named},
			Plugin: &launch.Plugin{Device: plugin}}
		g := &Group{Devices: []*Device{d}, Parts: c.parts}
		err := g.compileOn(t.Context(), d, plugins.Job{}, plugins.Task{Settle: c.settle})
		if c.says == "" && (!errors.Is(err, errAsked) || plugin.times != 1) ||
			c.says != "" && (!strings.Contains(err.Error(), c.says) || plugin.times != 0) {
			t.Errorf("%v of share %v, parts %v, settle %v: %v, asked %d times", c.named, c.share, c.parts, c.settle, err,
				plugin.times)
		}
		var refusal *plan.DevicesError
		if c.settle && c.share == nil && c.says != "" &&
			(plugins.KindOf(err) != plugins.KindUnsupported || errors.As(err, &refusal)) {
			t.Errorf("%v: %v does not lead to a run without Settle", c.named, err)
		}
	}
}

// A device of a chain that lacks networks is named, before anything is read; one that has said nothing is asked later.
func TestCanCompute(t *testing.T) {
	network := plugins.Task{Network: &plugins.Network{}}
	for _, c := range []struct {
		named []plugins.Extension
		can   bool
	}{{nil, true}, {[]plugins.Extension{plugins.ExtensionNetworks}, true},
		{[]plugins.Extension{plugins.ExtensionShares}, false}} {
		d := &Device{Name: "b #2", Several: true, About: plugins.Description{Extensions: c.named}}
		err := (&Group{Devices: []*Device{{Name: "a #1"}, d}}).CanCompute(d, network)
		var lacks *plugins.Error
		if (err == nil) != c.can || err != nil && (!errors.As(err, &lacks) || lacks.Device != "b #2" ||
			lacks.Kind != plugins.KindUnsupported || !strings.Contains(err.Error(), "extension networks")) {
			t.Errorf("%v: %v", c.named, err)
		}
	}
}

// joiner is a device, and its session, that joins components, or has never heard of that.
type joiner struct {
	plugins.Device
	plugins.Session
	can bool
}

func (j *joiner) Open(context.Context, plugins.Job) (plugins.Session, error) { return j, nil }
func (j *joiner) Close() error                                               { return nil }
func (j *joiner) Compile(_ context.Context, t plugins.Task) (plugins.Plan, error) {
	return plugins.Plan{Shares: true, Restores: true, Joins: t.Joins && j.can}, nil
}

// Devices join components if all of them can; else none does, whoever says so first.
func TestCompile_JoinsTogether(t *testing.T) {
	for _, can := range [][]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		g := &Group{ctx: t.Context(), req: plan.Request{Timeout: time.Minute}}
		for _, can := range can {
			g.Devices = append(g.Devices, &Device{Several: true, Share: &chunk.Interval{},
				Plugin: &launch.Plugin{Device: &joiner{can: can}}})
		}
		all, err := g.Compile(plugins.Job{}, plugins.Task{}, make([]plugins.Layout, len(can)))
		both := can[0] && can[1]
		if err != nil || all.Joins != both || g.Devices[0].Plan.Joins != both || g.Devices[1].Plan.Joins != both {
			t.Errorf("%v: %v and %v, together %v; %v", can, g.Devices[0].Plan, g.Devices[1].Plan, all.Joins, err)
		}
	}
}
