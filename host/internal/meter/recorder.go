// Package meter measures a run: what it costs (Meter), how fast its stages have been of late (Speeds), when each was at
// work (Trace), and a link whose bandwidth is simulated (Throttle). Recorder has one of each for the run.
package meter

import (
	"context"
	"sync"
	"time"

	"github.com/penstock-db/penstock/host/internal/report"
)

// Recorder is what the steps of one run record their work with. Methods of its parts may be called from several
// goroutines, but those of Throttle by Carry alone.
type Recorder struct {
	Meter    Meter
	Trace    Trace
	Throttle Throttle

	carrying sync.Mutex // devices share the link: one thing is carried at a time
}

// New makes a recorder that tells of spans, and simulates a link of this bandwidth; 0: none.
func New(bandwidth uint64, tell func(report.Span)) *Recorder {
	return &Recorder{Throttle: NewThrottle(bandwidth), Trace: Trace{Tell: tell}}
}

// Transfer counts what a device is given, and has the simulated link carry it.
func (r *Recorder) Transfer(ctx context.Context, bytes uint64) time.Duration {
	r.Meter.Sent(bytes, 0)
	return r.Carry(ctx, bytes)
}

// Carry has the simulated link carry bytes that are counted elsewhere, and says how long that took.
func (r *Recorder) Carry(ctx context.Context, bytes uint64) time.Duration {
	r.carrying.Lock()
	began, took := r.Throttle.Carry(ctx, bytes)
	r.carrying.Unlock()
	r.Meter.Sent(0, took)
	if took > 0 {
		r.Trace.Span(report.Span{Stage: "transfer, simulated", Start: began, Took: took, Bytes: bytes})
	}
	return took
}
