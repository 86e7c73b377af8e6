package execute

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/regret"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Progress is how far a run has come: its last iteration, and what each has cost.
type Progress struct {
	Final       plugins.Iteration
	Iterations  []report.IterationReport // the first report.MaxIterations
	ResumedFrom int                      // the iteration that a checkpoint was of; 0: none
	Speeds      meter.Speeds             // of the stages of iterations
	Arena       uint64                   // bytes that were taken of the arena beyond the plan
	Simulated   []regret.Cost            // what schedules would have taken
	Intervals   *report.IntervalsReport  // nil: the state is not cut
	Shares      []Share                  // of each device, where it is
	Nearest     *report.NearestReport    // nil: parts do not settle in the order of values
	Learning    *report.Learning         // nil: nothing is learned
	// Batched: several iterations may be told of at once, so that only their devices know how long each took.
	Batched bool

	meter    *meter.Meter
	iterated func(report.IterationReport)
	learned  func(report.Epoch)
	devices  int
	cost     meter.Cost    // when the lap began
	took     time.Duration // all laps
	sent     uint64        // bytes, in them
	start    time.Time
	reason   schedule.Reason // for what is sent; of streamed runs
}

// Share is the vertices whose state a device saw to.
type Share struct {
	chunk.Interval
	Moved uint64 // bytes of state that went to it and back
}

// NewProgress is that of a run on so many devices.
func NewProgress(m *meter.Meter, devices int, events report.Events) *Progress {
	return &Progress{meter: m, devices: devices, iterated: events.Iterated, learned: events.Learned}
}

// Begin records the state that the run begins with.
func (p *Progress) Begin(it plugins.Iteration) {
	p.Final = it
	p.iterated(report.IterationReport{Number: it.Number, Active: it.Active, Change: report.Change(it.Change)})
}

// StartLap begins to measure an iteration.
func (p *Progress) StartLap() {
	p.cost, p.start, p.reason = p.meter.Total(), time.Now(), schedule.Reason{}
}

// Because says why the iteration under way sends what it sends.
func (p *Progress) Because(reason schedule.Reason) { p.reason = reason }

// Rate is the seconds that the iterations so far took for each byte that was sent.
func (p *Progress) Rate() float64 { return p.took.Seconds() / float64(max(1, p.sent)) }

// End records the iteration that ended now, in which so many chunks were stepped, and starts the next lap.
func (p *Progress) End(it plugins.Iteration, chunks int) {
	began, reason := p.start, p.reason
	spent := p.meter.Total().Since(p.cost)
	p.StartLap()
	p.Speeds.Learn(spent, p.devices)
	took := p.start.Sub(began)
	p.took, p.sent = p.took+took, p.sent+spent.Uploaded
	if p.Batched {
		took = spent.Compute + spent.Transfer
	}
	r := report.IterationReport{
		Number: it.Number, Active: it.Active, Change: report.Change(it.Change), Chunks: chunks, Edges: spent.Edges,
		Seconds: spent.Seconds(took), Bytes: spent.Bytes(),
		Rule: reason.Rule, Wanted: reason.Wanted, Predicted: reason.Predicted,
		PredictedBytes: reason.Bytes, Whole: spent.Whole, Parts: spent.Parts,
		Divided: spent.Divided,
	}
	if spent.Queue != (report.QueueReport{}) {
		r.Queue = &spent.Queue
	}
	p.Final = it
	if len(p.Iterations) < report.MaxIterations {
		p.Iterations = append(p.Iterations, r)
	}
	p.iterated(r)
}
