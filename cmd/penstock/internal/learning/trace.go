package learning

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/plugins"
)

// traceEvent is one of the Trace Event Format that chrome://tracing and Perfetto read. Times are microseconds.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"` // X: what took a time; M: a name of a process or a thread
	Began    float64        `json:"ts"`
	Took     float64        `json:"dur"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"` // the worker
	About    map[string]any `json:"args"`
}

// writeTrace writes what workers did in each clock: wait, pull, compute and sync, one after the other.
func writeTrace(w io.Writer, title string, workers []host.WorkerReport) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, `{"displayTimeUnit":"ms","traceEvents":[`)
	put, first := json.NewEncoder(b), true
	event := func(e traceEvent) {
		if !first {
			fmt.Fprint(b, ",")
		}
		first, e.Process = false, 1
		_ = put.Encode(e) // b keeps its error
	}
	event(traceEvent{Name: "process_name", Phase: "M", About: map[string]any{"name": title}})
	for k, worker := range workers {
		event(traceEvent{Name: "thread_name", Phase: "M", Thread: k, About: map[string]any{"name": fmt.Sprintf("worker %d", k)}})
		for _, s := range worker.Timeline {
			for _, e := range spanEvents(s) {
				e.Thread = k
				event(e)
			}
		}
	}
	fmt.Fprintln(b, "]}")
	return b.Flush()
}

// spanEvents are what a clock consists of, but for what took no time.
func spanEvents(s plugins.Span) (all []traceEvent) {
	at := s.Began
	for _, part := range []struct {
		name string
		took time.Duration
	}{{"wait", s.Wait}, {"pull", s.Pull}, {"compute", s.Compute}, {"sync", s.Sync}} {
		if part.took > 0 {
			all = append(all, traceEvent{Name: part.name, Category: "clock", Phase: "X", Began: micros(at),
				Took: micros(part.took), About: map[string]any{"epoch": s.Epoch + 1, "clock": s.Clock}})
		}
		at += part.took
	}
	return all
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// untraced says that a trace has not all clocks; empty: it has.
func untraced(workers []host.WorkerReport) string {
	clocks, traced := uint64(0), uint64(0)
	for _, w := range workers {
		clocks, traced = clocks+w.Clocks, traced+uint64(len(w.Timeline))
	}
	if traced >= clocks {
		return ""
	}
	return fmt.Sprintf(": the first %s of %s clocks of workers", terminal.Count(traced), terminal.Count(clocks))
}
