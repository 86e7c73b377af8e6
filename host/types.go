package host

import "github.com/penstock-db/penstock/host/internal/report"

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
	DeviceReport    = report.DeviceReport
	CoreReport      = report.CoreReport
	PluginReport    = report.PluginReport
	IterationReport = report.IterationReport
	SourceReport    = report.SourceReport
	UseReport       = report.UseReport
	Change          = report.Change
)
