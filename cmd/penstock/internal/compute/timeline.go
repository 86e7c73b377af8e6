package compute

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/penstock-db/penstock/host"
)

// timeline writes the spans of a run as a Chrome trace, which ui.perfetto.dev and
// chrome://tracing open: a lane for each stage, and one for each of several devices, so that one
// sees what overlaps.
//
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
type timeline struct {
	file  io.Closer
	out   *bufio.Writer
	start time.Time
	lanes []lane // by their numbers, from 1 on
	err   error  // the first
}

// lane is where spans of one stage, or of one of several devices, are drawn that do not overlap.
type lane struct {
	of    string
	until time.Time
}

// newTimeline begins a timeline in a file. Spans are written as they come: memory does not grow.
func newTimeline(name string) (*timeline, error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("cannot write the timeline: %w", err)
	}
	t := &timeline{file: file, out: bufio.NewWriter(file), start: time.Now()}
	_, t.err = t.out.WriteString(`{"displayTimeUnit":"ms","traceEvents":[`)
	t.write(map[string]any{"name": "process_name", "ph": "M", "pid": 1, "args": map[string]any{"name": "penstock run"}})
	return t, nil
}

// add writes one span. Spans of a stage that overlap get lanes of their own.
func (t *timeline) add(s host.Span) {
	lane := t.lane(&s)
	t.next(map[string]any{
		"name": s.Stage, "ph": "X", "pid": 1, "tid": lane,
		"ts": micros(s.Start.Sub(t.start)), "dur": micros(s.Took),
		"args": map[string]any{"iteration": s.Iteration, "bytes": s.Bytes, "edges": s.Edges},
	})
}

// lane finds one of the lanes for a span that is free when it starts, or opens a new one. One of
// several devices has one lane: it does one thing at a time, though answers may come together.
func (t *timeline) lane(s *host.Span) int {
	of := cmp.Or(s.Device, s.Stage)
	for i, l := range t.lanes {
		if over := l.until.Sub(s.Start); l.of == of && s.Device != "" && over > 0 {
			s.Start, s.Took = l.until, max(0, s.Took-over)
		}
		if l.of == of && !s.Start.Before(l.until) {
			t.lanes[i].until = s.Start.Add(s.Took)
			return i + 1
		}
	}
	t.lanes = append(t.lanes, lane{of, s.Start.Add(s.Took)})
	t.next(map[string]any{"name": "thread_name", "ph": "M", "pid": 1, "tid": len(t.lanes),
		"args": map[string]any{"name": of}})
	return len(t.lanes)
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// next writes an event that is not the first.
func (t *timeline) next(event map[string]any) {
	_, err := t.out.WriteString(",")
	t.note(err)
	t.write(event)
}

func (t *timeline) write(event map[string]any) {
	text, err := json.Marshal(event)
	t.note(err)
	_, err = t.out.Write(text)
	t.note(err)
}

func (t *timeline) note(err error) {
	if t.err == nil {
		t.err = err
	}
}

// close ends the timeline, also that of a run that failed.
func (t *timeline) close() error {
	_, err := t.out.WriteString("]}\n")
	t.note(err)
	return errors.Join(t.err, t.out.Flush(), t.file.Close())
}
