package host

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/result"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/store"
)

// What is asked for.
type (
	Request = plan.Request
	Devices = plan.Devices
	// Allowlist is which plugins the owner of a database has enabled for it. Whoever opens a database by package penstock
	// is held to that; a Request for a snapshot of one's own has it in Request.Allowed.
	Allowlist = plan.Allowlist
)

// What a run tells of itself.
type (
	Events          = report.Events
	Launch          = report.Launch
	Span            = report.Span
	Needs           = report.Needs
	Alternative     = report.Alternative
	Choice          = report.Choice
	DeviceOption    = report.DeviceOption
	Report          = report.Report
	Seconds         = report.Seconds
	Bytes           = report.Bytes
	UncachedReport  = report.UncachedReport
	CopiesReport    = report.CopiesReport
	QueueReport     = report.QueueReport
	DeviceReport    = report.DeviceReport
	CoreReport      = report.CoreReport
	IntervalsReport = report.IntervalsReport
	NearestReport   = report.NearestReport
	IntervalNeeds   = report.IntervalNeeds
	IntervalCost    = report.IntervalCost
	PluginReport    = report.PluginReport
	Wall            = report.Wall
	ProcessMemory   = report.ProcessMemory
	IterationReport = report.IterationReport
	SourceReport    = report.SourceReport
	UseReport       = report.UseReport
	WorkerReport    = report.Worker
	Change          = report.Change
)

// What a run leaves.
type (
	Result      = result.Result
	VertexNames = result.VertexNames
)

// Errors of runs.
type (
	BudgetError           = plan.BudgetError
	ScratchError          = plan.ScratchError
	ScheduleError         = plan.ScheduleError
	DevicesError          = plan.DevicesError
	DeviceNotAllowedError = plan.DeviceNotAllowedError
	NotEnabledError       = plan.NotEnabledError
	RequestError          = plan.RequestError
	MissingValueError     = supply.MissingValueError
	CheckpointError       = checkpoint.Error
	MemoryError           = confine.MemoryError
	TasksError            = confine.TasksError
	CPUTimeError          = confine.CPUTimeError
)

// Defaults and bounds of a Request.
const (
	DefaultTimeout         = plan.DefaultTimeout
	DefaultCheckpointEvery = plan.DefaultCheckpointEvery
	MaxThreads             = plan.MaxThreads
)

// Schedules lists what Request.Schedule may be. "whole" always streams; the others keep
// all chunks on the device when they fit.
var Schedules = schedule.Names()

// What Request.ScaphValue may be.
const (
	ThresholdValue = plan.ThresholdValue
	ModelValue     = plan.ModelValue
)

// ScheduleUsage lists the schedules with their parameters, for help.
var ScheduleUsage = schedule.Usage()

// NewVertexNames prepares for the ids of a snapshot. Graphs with integer ids take no
// memory; others take that of all their ids, and up to 4 bytes a vertex.
func NewVertexNames(ctx context.Context, snap *store.Snapshot) (*VertexNames, error) {
	return result.NewVertexNames(ctx, snap)
}

// PropertyName is what a result column is called as a node property that is asked for under a name: the first column of
// each source so, with the source behind it, if there are several; others with the column's own name behind it.
func PropertyName(property string, place int, column, source string) string {
	return plan.PropertyName(property, place, column, source)
}

// FromSource is the name of a result column from one of several sources.
func FromSource(name, source string) string { return plan.FromSource(name, source) }

// RemoveCheckpoints removes those of a graph from Request.CheckpointDir.
func RemoveCheckpoints(dir, graph string) error { return checkpoint.RemoveAll(dir, graph) }
