package learning

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// A trace is one JSON object of events that have what the format wants: names of the process and of each worker, and
// what each did, one thing behind the other, whose waits add up to what is reported.
func TestWriteTrace(t *testing.T) {
	r := testseed.Rand(t)
	workers := make([]host.WorkerReport, 3)
	for k := range workers {
		at, clocks := time.Duration(r.IntN(1e6)), 1+r.IntN(200)
		for i := range clocks {
			draw := func() time.Duration { return time.Duration(r.IntN(3) * r.IntN(1e7)) }
			s := plugins.Span{Epoch: uint64(i / 10), Clock: uint64(i), Began: at, Wait: draw(), Pull: draw(), Compute: draw(),
				Sync: draw()}
			at += s.Wait + s.Pull + s.Compute + s.Sync + draw()
			workers[k].Waited += s.Wait.Seconds()
			workers[k].Timeline, workers[k].Clocks = append(workers[k].Timeline, s), uint64(clocks)
		}
	}
	var b strings.Builder
	if err := writeTrace(&b, `mf on "a<b"`, workers); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		Unit   string `json:"displayTimeUnit"`
		Events []struct {
			Name, Cat, Ph string
			Ts, Dur       *float64
			Pid, Tid      *int
			Args          map[string]any
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(b.String()), &trace); err != nil {
		t.Fatal(err)
	}
	names, ends, waited := 0, make([]float64, 3), make([]float64, 3)
	for _, e := range trace.Events {
		if e.Name == "" || e.Ts == nil || e.Dur == nil || e.Pid == nil || e.Tid == nil || *e.Tid < 0 || *e.Tid >= 3 {
			t.Fatalf("an event lacks something: %+v", e)
		}
		if e.Ph == "M" {
			names++
			continue
		}
		const rounding = 1e-3
		if e.Ph != "X" || e.Cat != "clock" || *e.Dur <= 0 || *e.Ts < ends[*e.Tid]-rounding || e.Args["epoch"].(float64) < 1 {
			t.Fatalf("behind %v: %+v", ends[*e.Tid], e)
		}
		if ends[*e.Tid] = *e.Ts + *e.Dur; e.Name == "wait" {
			waited[*e.Tid] += *e.Dur
		}
	}
	for k, w := range workers {
		if math.Abs(waited[k]/1e6-w.Waited) > 1e-9*float64(w.Clocks) {
			t.Errorf("worker %d: waits add up to %v µs, and %v s are reported", k, waited[k], w.Waited)
		}
	}
	if trace.Unit != "ms" || names != 1+len(workers) || untraced(workers) != "" {
		t.Errorf("unit %q, %d names, %q", trace.Unit, names, untraced(workers))
	}
	workers[0].Clocks += 2000
	if says := untraced(workers); !strings.HasPrefix(says, ": the first ") {
		t.Errorf("of what is left out it says %q", says)
	}
}
