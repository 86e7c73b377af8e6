package meter

import (
	"sync"
	"time"

	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// Trace tells of the stages of a run at work, one at a time.
type Trace struct {
	Tell func(report.Span)

	mu        sync.Mutex // protects iteration; spans are told of one at a time
	iteration int
}

// Span tells of a stage that has just ended.
func (t *Trace) Span(s report.Span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.Iteration = t.iteration
	t.Tell(s)
}

// Iteration says which iteration spans belong to from now on.
func (t *Trace) Iteration(number int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.iteration = number
}

// Stage tells of a stage that began then and ends now, and with how many bytes.
func (t *Trace) Stage(stage string, began time.Time, bytes uint64) {
	t.Span(report.Span{Stage: stage, Start: began, Took: time.Since(began), Bytes: bytes})
}

// Command tells of a command that a device has done; device is empty where there is only one. An event says only how
// long the command took: it is taken to have ended when the event came.
func (t *Trace) Command(device string, op plugins.Op, e plugins.Event) {
	took := e.Transfer + e.Compute
	t.Span(report.Span{Device: device, Stage: "device: " + opNames[op], Start: time.Now().Add(-took), Took: took,
		Bytes: e.Bytes, Edges: e.Edges})
}

var opNames = map[plugins.Op]string{
	plugins.Upload: "upload", plugins.Evict: "evict", plugins.Init: "init", plugins.Step: "step",
	plugins.Apply: "apply", plugins.Iterate: "iterate", plugins.Call: "call", plugins.Settle: "settle",
	plugins.Restore: "restore", plugins.Pass: "pass", plugins.Rows: "rows", plugins.Cell: "cell",
	plugins.Reduce: "reduce", plugins.Reduced: "reduced",
}
