package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// merge copies the results out of the arena and reports.
func (r *run) merge() (*Result, error) {
	if err := r.diverged(); err != nil {
		return nil, err
	}
	result := &Result{}
	for lane, suffix := range r.suffixes() {
		columns, err := r.copyResults(suffix)
		if err != nil {
			return nil, err
		}
		for i := range columns {
			if len(r.sources) > 0 {
				columns[i].Name = FromSource(columns[i].Name, r.sources[lane])
			}
		}
		result.Columns = append(result.Columns, columns...)
	}
	result.Report = r.report()
	if r.keeper != nil {
		r.keeper.remove()
	}
	return result, nil
}

// copyResults copies the results out of the columns with this suffix.
func (r *run) copyResults(suffix string) (all []algorithms.Values, err error) {
	for _, want := range r.results {
		i := slices.IndexFunc(r.task.Layout.Columns, func(c plugins.VertexColumn) bool { return c.Name == want.Name+suffix })
		if i < 0 {
			return nil, fmt.Errorf("its result %q is no column of its state", want.Name)
		}
		values, err := r.copyColumn(r.task.Layout.Columns[i])
		if err != nil {
			return nil, err
		}
		values.Column = want
		all = append(all, values)
	}
	if r.finish != nil {
		r.finish(all)
	}
	return all, nil
}

func (r *run) copyColumn(c plugins.VertexColumn) (v algorithms.Values, err error) {
	switch c.Type {
	case algorithms.Float:
		v.Floats, err = r.arena.Float64s(c.Range)
		v.Floats = slices.Clone(v.Floats)
	case algorithms.Bool:
		var bytes []byte
		bytes, err = r.arena.Bytes(c.Range)
		v.Bools = make([]bool, len(bytes))
		for i, b := range bytes {
			v.Bools[i] = b != 0
		}
	default:
		v.Ints, err = r.arena.Int64s(c.Range)
		v.Ints = slices.Clone(v.Ints)
	}
	return v, err
}

func (r *run) report() Report {
	m, spent := r.snap.Manifest(), r.meter.total()
	report := Report{
		Algorithm: r.req.name(), Graph: m.Graph, Snapshot: m.ID, Device: r.device.Name,
		Schedule: r.schedule(), Kernel: r.kernel.Kernel, Why: r.explain(), Parameters: r.parameters,
		Iterations: r.final.Number, ResumedFrom: r.resumedFrom, Converged: r.converged(), Threads: r.threads(),
		Vertices: m.Vertices, Edges: m.Edges,
		Seconds: spent.seconds(time.Since(r.started)), Bytes: spent.bytes(), Uncached: r.meter.pastCache(), SimulatedLink: r.link.bandwidth,
		PeakDeviceBytes: spent.peak, ArenaBytes: r.arenaBytes(), Plugin: PluginReport{Name: r.device.Name, Version: r.device.Version, Digest: r.devices[0].plugin.Digest},
		EdgesProcessed: spent.edges, PerIteration: r.perIteration, Sources: r.reportSources(), Choice: r.choice, Core: r.core,
	}
	for _, d := range r.devices {
		if d.several {
			report.Devices = append(report.Devices, d.report(m.Vertices))
		}
	}
	if spent.compute > 0 {
		report.EdgesPerSecond = float64(spent.edges) / spent.compute.Seconds()
	}
	return report
}

// report is what one of several devices did.
func (d *device) report(vertices uint64) DeviceReport {
	spent, share := d.spent.total(), chunk.Interval{Count: vertices}
	switch {
	case d.share != nil:
		share = *d.share
	case d.linked > 0:
		share.Count = d.linked
	}
	return DeviceReport{
		Name: d.name, First: share.Base, Vertices: share.Count, Transfer: spent.uploaded, Forwarded: spent.forwarded, Peer: spent.peer,
		EdgesProcessed: spent.edges, PeakDeviceBytes: spent.peak, Uploading: spent.transfer.Seconds(), Computing: spent.compute.Seconds(),
	}
}

// arenaBytes is what the run has used of the arena: chunks that the device has read in
// files took nothing there.
func (r *run) arenaBytes() uint64 {
	used := r.used
	for _, c := range r.chunks {
		if there, ok := r.warm.has(c.name()); ok && there.file != "" {
			used -= aligned(uint64(c.size))
		}
	}
	return used
}

func (r *run) schedule() string {
	if r.fit.resident {
		return scheduleResident
	}
	return r.policy.Name
}

// converged tells a run that ended by its own rule from one that reached its bound. A
// device only says that there is nothing more to do.
func (r *run) converged() bool {
	p := r.task.Program
	if p == nil {
		return true
	}
	settled := p.Norm != algorithms.NoNorm && r.final.Number > 0 && r.final.Change <= p.Tolerance
	return settled || r.final.Active == 0
}

// diverged is the error of a program that has no result unless it converges.
func (r *run) diverged() error {
	p := r.task.Program
	if p == nil || p.Diverged == "" {
		return nil
	}
	inputs := len(r.columns) - len(p.State)
	for lane := range r.suffixes() {
		first := r.task.Layout.Columns[inputs+lane*len(p.State)]
		values := algorithms.Values{Column: first.Column}
		if first.Type == algorithms.Float {
			var err error
			if values.Floats, err = r.arena.Float64s(first.Range); err != nil {
				return err
			}
		}
		if err := p.Divergence(values, r.final.Number, r.converged()); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) threads() int {
	if r.req.Threads > 0 {
		return r.req.Threads * len(r.devices)
	}
	return r.device.Threads
}
