package device

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
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
		all, err := g.join()
		var refusal *plan.DevicesError
		if errors.As(err, &refusal) != (c.says != "") || c.says != "" && !strings.Contains(refusal.Reason, c.says) {
			t.Errorf("%+v: error %v", c.plan, err)
		}
		if err == nil && (all.Fixed != 20 || all.Restores || !all.Shares) {
			t.Errorf("together %+v", all)
		}
	}
}

// A device that has named its extensions is asked for no other, before it is given a session. One that has named none
// is asked.
func TestDevice_Lacks(t *testing.T) {
	vertices := &chunk.Interval{Count: 10}
	for _, c := range []struct {
		named []plugins.Extension
		share *chunk.Interval
		parts bool
		says  string
	}{
		{nil, vertices, true, ""},
		{[]plugins.Extension{plugins.ExtensionParts}, nil, true, ""},
		{[]plugins.Extension{plugins.ExtensionParts}, vertices, false, "b computes with all vertices or none"},
		{[]plugins.Extension{plugins.ExtensionShares}, vertices, false, ""},
		{[]plugins.Extension{plugins.ExtensionShares}, nil, true, "b computes with all edges or none"},
	} {
		d := &Device{Name: "b", Share: c.share, About: plugins.Description{Extensions: c.named}}
		if says := d.lacks(c.parts); says != c.says {
			t.Errorf("%v of share %v, parts %v: %q, not %q", c.named, c.share, c.parts, says, c.says)
		}
	}
}
