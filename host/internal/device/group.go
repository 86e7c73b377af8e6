package device

import (
	"context"
	"strings"
	"time"

	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// Group is the devices of one run, in the order of the chain. A failure of any of them calls fail, which ends the
// context of the run and kills all.
type Group struct {
	Devices   []*Device
	Parts     bool          // each has a part of the edges
	Launching time.Duration // until the only device had described itself; 0: it was there

	ctx  context.Context
	fail context.CancelCauseFunc
	req  plan.Request
}

// NewGroup is the devices of a run that ends with ctx.
func NewGroup(ctx context.Context, fail context.CancelCauseFunc, req plan.Request, devices []*Device,
	parts bool) *Group {
	return &Group{Devices: devices, Parts: parts, ctx: ctx, fail: fail, req: req}
}

// PIDs are the devices' processes.
func (g *Group) PIDs() (pids []int) {
	for _, d := range g.Devices {
		pids = append(pids, d.Plugin.PID())
	}
	return pids
}

// BuiltIn tells whether all devices are of this program, and so known before they say so.
func (g *Group) BuiltIn() bool {
	for _, d := range g.Devices {
		if !d.Spec.BuiltIn() {
			return false
		}
	}
	return true
}

// Describe is what all devices are together: what each of them has, and the workers of all.
func (g *Group) Describe() plugins.Description {
	all := g.Devices[0].About
	names := []string{g.Devices[0].title()}
	for _, d := range g.Devices[1:] {
		names = append(names, d.title())
		all.Threads += d.About.Threads
		all.Memory = leastKnown(all.Memory, d.About.Memory)
		all.LinkBandwidth = leastKnown(all.LinkBandwidth, d.About.LinkBandwidth)
		all.MapsFiles = all.MapsFiles && d.About.MapsFiles
	}
	switch all.Name = strings.Join(names, ","); {
	case g.Parts:
		all.Name = strings.Join(names, "+")
	case g.Crew():
		all.Name = names[0]
	}
	return all
}

// Crew tells whether the devices are processes of one, which divide the workers of a procedure.
func (g *Group) Crew() bool { return g.req.Processes > 1 }

// Apart is how many of the devices have vertex columns of their own: processes of one have the same.
func (g *Group) Apart() int {
	if g.Crew() {
		return 1
	}
	return len(g.Devices)
}

// leastKnown is the lesser of two amounts, of which 0 is none.
func leastKnown(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// Digest is that of the plugin; of several, all of theirs.
func (g *Group) Digest() (string, error) {
	var all []string
	for _, d := range g.Devices {
		digest, err := d.digest()
		if err != nil {
			return "", err
		}
		all = append(all, digest)
	}
	return strings.Join(all, ","), nil
}

// Fixed is what the plans of all devices take beside the chunks.
func (g *Group) Fixed() (bytes uint64) {
	for _, d := range g.Devices {
		bytes += d.Plan.Fixed
	}
	return bytes
}

// Talk opens the stream of commands to a device, the end of which ends ctx, and watches over it.
func (g *Group) Talk(ctx context.Context, fail context.CancelCauseFunc, d *Device, vertices uint64, rec *meter.Recorder,
	events report.Events) {
	which := ""
	if d.Several {
		which = d.Name
	}
	d.Stream = link.Open(ctx, fail, link.Config{
		Session: d.Session, Device: d.Name, Budget: d.Budget, Vertices: vertices,
		Meters: []*meter.Meter{&rec.Meter, &d.Spent},
		Named:  d.named, Diagnose: func(err error) error { return g.diagnose(d, err) }, Progress: events.Progress,
		Done: func(op plugins.Op, e plugins.Event) { rec.Trace.Command(which, op, e) },
	})
	go d.Stream.Watch(d.Plugin.Device, g.req.Timeout)
}

// Spare takes back that the end of the run kills the devices.
func (g *Group) Spare() {
	for _, d := range g.Devices {
		d.spare()
	}
}

// CloseSessions tells whether the devices have closed their sessions in time.
func (g *Group) CloseSessions() (ended bool) {
	ended = true
	for _, d := range g.Devices {
		late := time.AfterFunc(g.req.Timeout, d.Plugin.Kill)
		ended = d.Session.Close() == nil && ended
		late.Stop()
	}
	return ended
}

// Kill ends the devices that have been started at once.
func (g *Group) Kill() {
	for _, d := range g.Devices {
		if d.Plugin != nil {
			d.Plugin.Kill()
		}
	}
}

// Close asks the devices that have been started to end.
func (g *Group) Close() {
	for _, d := range g.Devices {
		if d.Plugin != nil {
			d.Plugin.Close()
		}
	}
}
