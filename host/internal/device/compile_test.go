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
	able := plugins.Plan{Shares: true, Restores: true, ActiveRows: true, Directions: []chunk.Direction{chunk.Out}, Fixed: 10, Kernel: "push"}
	alone, pulls, other := able, able, able
	alone.Shares, pulls.ActiveRows, other.Directions = false, false, []chunk.Direction{chunk.In}
	larger := able
	larger.Fixed, larger.Restores = 20, false
	for _, c := range []struct {
		plan plugins.Plan
		says string
	}{{alone, "b #2 computes with all vertices or none"}, {pulls, "different ways"}, {other, "different ways"}, {larger, ""}} {
		g := &Group{req: plan.Request{Device: "a,b"}, Devices: []*Device{{Several: true, Name: "a #1", Plan: able}, {Several: true, Name: "b #2", Plan: c.plan}}}
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
