package host

import (
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// span tells of a stage that has just ended.
func (r *run) span(s Span) {
	r.telling.Lock()
	defer r.telling.Unlock()
	s.Iteration = r.passing
	r.events.Spanned(s)
}

// begin says which iteration spans belong to from now on.
func (r *run) begin(iteration int) {
	r.telling.Lock()
	defer r.telling.Unlock()
	r.passing = iteration
}

// spanBytes tells of a stage that has gone on until now, and with how many bytes.
func (r *run) spanBytes(stage string, started time.Time, bytes uint64) {
	r.span(Span{Stage: stage, Start: started, Took: time.Since(started), Bytes: bytes})
}

// worked tells of a command that the device has done. It says only how long that took: it
// is taken to have ended when the answer came.
func (r *run) worked(d *device, op plugins.Op, e plugins.Event) {
	took, which := e.Transfer+e.Compute, ""
	if d.several {
		which = d.name
	}
	r.span(Span{Device: which, Stage: "device: " + opNames[op], Start: time.Now().Add(-took), Took: took, Bytes: e.Bytes, Edges: e.Edges})
}

var opNames = map[plugins.Op]string{
	plugins.Upload: "upload", plugins.Evict: "evict", plugins.Init: "init", plugins.Step: "step",
	plugins.Apply: "apply", plugins.Iterate: "iterate", plugins.Call: "call", plugins.Settle: "settle",
	plugins.Restore: "restore",
}
