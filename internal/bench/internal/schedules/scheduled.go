package schedules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/schedule"
)

// scheduled is a schedule as Budgets name it.
type scheduled struct {
	name, schedule     string
	synchronous, plain bool
}

const (
	// plainSchedule is whole as the papers measure it: every message is sent from the rows of
	// active vertices, iteration by iteration. Our devices know better for some programs.
	plainSchedule = "plain"
	synchronously = " --synchronous"
	autoSchedule  = "auto"
)

// ScheduleNames are what Budgets.Schedules may hold, perhaps with parameters, perhaps followed
// by " --synchronous".
func ScheduleNames() []string { return append([]string{plainSchedule}, host.Schedules...) }

func parseScheduled(name string) (scheduled, error) {
	text, synchronous := strings.CutSuffix(name, synchronously)
	s := scheduled{name: name, schedule: text, synchronous: synchronous}
	kind, _, _ := strings.Cut(text, ":")
	switch {
	case !slices.Contains(ScheduleNames(), kind):
		return s, &measure.OptionError{Option: "schedule", Found: strconv.Quote(name), Want: measure.Known(ScheduleNames())}
	case text == plainSchedule:
		s.schedule, s.plain = "whole", true
		return s, nil
	case text == autoSchedule:
		return s, nil
	}
	var wrong *schedule.ParseError
	if _, err := schedule.Parse(text); errors.As(err, &wrong) {
		return s, &measure.OptionError{Option: "schedule", Found: strconv.Quote(name), Want: wrong.Reason}
	}
	return s, nil
}

// unknown is the kernel's program as one that devices have no special way for.
func (s *streamedKernel) unknown(ctx context.Context) (*algorithms.Program, error) {
	var columns []string
	for _, p := range s.snapshot.Manifest().EdgeProperties {
		columns = append(columns, p.Name)
	}
	args, err := s.entry.Bind(s.Params, algorithms.Env{
		EdgeColumns: columns,
		Vertex: func(user string) (int64, error) {
			v, err := s.snapshot.Vertex(ctx, user)
			if err != nil {
				return 0, err
			}
			return s.snapshot.ID(ctx, v)
		},
	})
	if err != nil {
		return nil, err
	}
	p, err := s.entry.Program(args)
	if err == nil {
		kernel.Plainly(p)
	}
	return p, err
}

func (s *streamedKernel) request(way scheduled, budget uint64) host.Request {
	r := host.Request{
		Algorithm: s.Algorithm, Params: s.Params, Threads: s.threads, DeviceMemory: budget,
		Schedule: way.schedule, Synchronous: way.synchronous, LinkBandwidth: s.link,
	}
	if way.plain {
		r.Algorithm, r.Params, r.Program = "", nil, s.program
	}
	return r
}

// refusal is why a schedule is not for a kernel, if that is what the error says.
func refusal(err error) string {
	var unfit *host.ScheduleError
	var small *host.BudgetError
	switch {
	case errors.As(err, &unfit):
		return unfit.Reason
	case errors.As(err, &small):
		return small.Error()
	}
	return ""
}

// round runs the kernel once and adds what it cost to the cell.
func (s *streamedKernel) round(ctx context.Context, way scheduled, cell *Cell) error {
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	before := measure.Processors()
	result, err := s.engine.Run(limited, s.snapshot, s.request(way, cell.Budget), host.Events{})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil && err != nil:
		cell.Stopped = true
		return nil
	case refusal(err) != "":
		cell.Refused = refusal(err)
		return nil
	case err != nil:
		return err
	}
	r, spent := result.Report, measure.Processors()-before
	cell.Rounds = append(cell.Rounds, Round{
		Ran: r.Schedule, Seconds: r.Seconds.Total, CPU: spent.Seconds(), Compute: r.Seconds.Compute,
		Cutting:  r.Seconds.Cutting,
		Transfer: r.Bytes.Transfer, Storage: r.Bytes.Storage, Iterations: r.Iterations, Edges: r.EdgesProcessed,
		Peak: r.PeakDeviceBytes,
	})
	if r.PeakDeviceBytes > cell.Budget {
		return &PeakError{s.Title(), way.name, r.PeakDeviceBytes, cell.Budget}
	}
	if way.plain {
		result.Columns = s.entry.ResultOf(result.Columns)
	}
	return s.agrees(way, result.Columns)
}

// PeakError is a device that has held more than its budget.
type PeakError struct {
	Kernel, Schedule string
	Peak, Budget     uint64
}

func (e *PeakError) Error() string {
	return fmt.Sprintf("%s by schedule %s: the device held %d bytes, with a budget of %d", e.Kernel, e.Schedule, e.Peak,
		e.Budget)
}

// agrees compares a result with that of all chunks on the device.
func (s *streamedKernel) agrees(way scheduled, got []algorithms.Values) error {
	apart := 0.0
	for i, want := range s.want {
		apart += distance(want, got[i])
	}
	if !(apart <= s.Distance) { // of what is no number, neither
		return &ApartError{s.Title(), way.name, apart, s.Distance}
	}
	return nil
}

// distance is the sum of how far values are apart; of those that are no amounts, how many differ.
func distance(a, b algorithms.Values) (sum float64) {
	for i, x := range a.Ints {
		if x != b.Ints[i] {
			sum++
		}
	}
	for i, x := range a.Floats {
		if x != b.Floats[i] {
			sum += math.Abs(x - b.Floats[i])
		}
	}
	for i, x := range a.Bools {
		if x != b.Bools[i] {
			sum++
		}
	}
	return sum
}

// ApartError is a result by a schedule that is not the one of all chunks on the device.
type ApartError struct {
	Kernel, Schedule string
	Apart, Most      float64
}

func (e *ApartError) Error() string {
	return fmt.Sprintf(
		"%s by schedule %s: the result is %g away from that of a device that holds all chunks; right ones are at most %g",
		e.Kernel, e.Schedule, e.Apart, e.Most)
}
