package result

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/pages/scarce"
	"github.com/penstock-db/penstock/internal/regret"
)

// Done is what there is to report of a run that has ended well.
type Done struct {
	Plan     *plan.Plan
	Devices  []*device.Device
	Rec      *meter.Recorder
	Progress *execute.Progress
	Started  time.Time
	InFiles  uint64             // bytes of chunks that the device has read in files, and not in the arena
	Disk     *uint64            // bytes that the disk gave; nil: nothing says
	Choice   *report.Choice     // nil: there was nothing to choose
	Core     *report.CoreReport // nil: none was asked for
}

// Report says what the run did and what it cost.
func Report(d Done) report.Report {
	p, m, spent := d.Plan, d.Plan.Graph.Manifest(), d.Rec.Meter.Total()
	final, first := d.Progress.Final, d.Devices[0]
	r := report.Report{
		Algorithm: p.Request.Title(), Graph: m.Graph, Snapshot: m.ID, Device: p.Device.Name,
		Schedule: p.ScheduleName(), Kernel: p.Kernel.Kernel, Why: p.Why(), Parameters: p.Parameters,
		Iterations: final.Number, ResumedFrom: d.Progress.ResumedFrom, Converged: converged(p, final),
		Threads:  threads(p, len(d.Devices)),
		Vertices: m.Vertices, Edges: m.Edges,
		Seconds: spent.Seconds(time.Since(d.Started)), Bytes: spent.Bytes(), DiskBytes: d.Disk,
		ProgramPieces: scarce.Pieces(),
		Uncached:      d.Rec.Meter.Uncached(), SimulatedLink: d.Rec.Throttle.Bandwidth,
		PeakDeviceBytes: spent.Peak, ArenaBytes: p.Fit.Arena + d.Progress.Arena - d.InFiles,
		Plugin: report.PluginReport{Name: p.Device.Name, Version: p.Device.Version, Digest: first.Plugin.Digest},
		Walls:  device.Walls(d.Devices), Memory: device.Memory(d.Devices),
		EdgesProcessed: spent.Edges, PerIteration: d.Progress.Iterations, Choice: d.Choice, Core: d.Core,
		Intervals: d.Progress.Intervals, Nearest: d.Progress.Nearest,
		Learning: d.Progress.Learning,
	}
	if p.Request.Processes > 1 {
		r.PeakDeviceBytes = together(d.Devices, spent.Uploaded)
	}
	if p.Streaming.Queue {
		r.Queue = &spent.Queue
	}
	r.Simulated = d.Progress.Simulated
	if own, err := regret.Of(p.Schedule.Name, r.Simulated); err == nil { // else nothing was simulated
		r.Regret = &own
	}
	for _, source := range p.Sources {
		r.Sources = append(r.Sources, report.SourceReport{Source: source, Iterations: final.Number, Converged: r.Converged})
	}
	for i, each := range d.Devices {
		if !each.Several {
			continue
		}
		did := ofDevice(each, m.Vertices)
		if shares := d.Progress.Shares; shares != nil {
			did.First, did.Vertices, did.StateBytes = shares[i].Base, shares[i].Count, shares[i].Moved
		}
		r.Devices = append(r.Devices, did)
	}
	if spent.Compute > 0 {
		r.EdgesPerSecond = float64(spent.Edges) / spent.Compute.Seconds()
	}
	return r
}

// together is the most that processes of one device have held, of which chunks are the same memory.
func together(devices []*device.Device, chunks uint64) (bytes uint64) {
	for i, d := range devices {
		peak := d.Spent.Total().Peak
		if bytes += peak; i > 0 {
			bytes -= min(peak, chunks)
		}
	}
	return bytes
}

// ofDevice is what one of several devices did.
func ofDevice(d *device.Device, vertices uint64) report.DeviceReport {
	spent, share := d.Spent.Total(), chunk.Interval{Count: vertices}
	switch {
	case d.Share != nil:
		share = *d.Share
	case d.Linked > 0:
		share.Count = d.Linked
	}
	return report.DeviceReport{
		Name: d.Name, First: share.Base, Vertices: share.Count, Transfer: spent.Uploaded, Forwarded: spent.Forwarded,
		EdgesProcessed: spent.Edges, PeakDeviceBytes: spent.Peak, Uploading: spent.Transfer.Seconds(),
		Computing: spent.Compute.Seconds(),
	}
}

func threads(p *plan.Plan, devices int) int {
	if p.Request.Threads > 0 {
		return p.Request.Threads * devices
	}
	return p.Device.Threads
}
