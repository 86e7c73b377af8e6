// Package extension reads which extensions of the contract a device has (plugins.Extension).
//
//	Description ──Offers, Lacks, Missing──▶ before a run
//	Task ──Asks──▶ Plan ──Takes──▶ for one task
package extension

import (
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// All are the extensions that there are, in the order in which a device's author may best take them up.
func All() []plugins.Extension {
	return []plugins.Extension{plugins.ExtensionFiles, plugins.ExtensionRestore, plugins.ExtensionSettle,
		plugins.ExtensionSelects, plugins.ExtensionLanes,
		plugins.ExtensionShares, plugins.ExtensionJoins, plugins.ExtensionParts, plugins.ExtensionPasses,
		plugins.ExtensionIntervals, plugins.ExtensionNearest, plugins.ExtensionNetworks, plugins.ExtensionBatches,
		plugins.ExtensionPortions, plugins.ExtensionHalves, plugins.ExtensionLearns,
		plugins.ExtensionWorkers, plugins.ExtensionProperties, plugins.ExtensionCycles}
}

// Offers tells whether a device has described an extension: files, lanes, workers, properties or
// cycles.
func Offers(d plugins.Description, e plugins.Extension) bool {
	switch e {
	case plugins.ExtensionFiles:
		return d.MapsFiles
	case plugins.ExtensionLanes:
		return d.Lanes > 0
	case plugins.ExtensionWorkers, plugins.ExtensionProperties, plugins.ExtensionCycles:
		return slices.Contains(d.Extensions, e)
	}
	return false
}

// Lacks tells whether a device has said what it takes up, and an extension is not among that. One that has not said
// anything lacks nothing: its plan tells.
func Lacks(d plugins.Description, e plugins.Extension) bool {
	return len(d.Extensions) > 0 && !slices.Contains(d.Extensions, e) && !Offers(d, e)
}

// Missing is the first extension without which a task cannot be done, and which a device lacks; empty: there is none. A
// task that is to be settled, a share, a part, intervals, lanes, a network, its batches and portions of these, and rows
// to be learned, and properties are refused without theirs. Of the others a plan makes do with what is there.
func Missing(d plugins.Description, t plugins.Task) plugins.Extension {
	for _, e := range []plugins.Extension{plugins.ExtensionShares, plugins.ExtensionParts, plugins.ExtensionSettle,
		plugins.ExtensionIntervals, plugins.ExtensionLanes, plugins.ExtensionNetworks, plugins.ExtensionBatches,
		plugins.ExtensionPortions, plugins.ExtensionHalves, plugins.ExtensionLearns,
		plugins.ExtensionProperties} {
		if Asks(t, e) && Lacks(d, e) {
			return e
		}
	}
	return ""
}

// Asks tells whether a task would use an extension. Of files only an Upload tells.
func Asks(t plugins.Task, e plugins.Extension) bool {
	switch e {
	case plugins.ExtensionSettle:
		return t.Settle
	case plugins.ExtensionRestore:
		return t.Restorable
	case plugins.ExtensionShares:
		return t.Share != nil
	case plugins.ExtensionParts:
		return t.Part
	case plugins.ExtensionLanes:
		return len(t.Lanes) > 0
	case plugins.ExtensionSelects:
		return t.ActiveRows
	case plugins.ExtensionPasses:
		return t.Passes
	case plugins.ExtensionNearest:
		return t.Nearest
	case plugins.ExtensionJoins:
		return t.Joins
	case plugins.ExtensionIntervals:
		return t.Intervals
	case plugins.ExtensionNetworks:
		return t.Network != nil
	case plugins.ExtensionBatches:
		return t.Network != nil && t.Network.Batch != nil
	case plugins.ExtensionPortions:
		return t.Network != nil && t.Network.Batch != nil && t.Network.Batch.Rows != arena.Range{}
	case plugins.ExtensionHalves:
		return t.Network != nil && t.Network.Halves != nil
	case plugins.ExtensionLearns:
		return len(t.Layout.Rows) > 0
	case plugins.ExtensionProperties:
		return t.Program != nil && len(t.Program.Properties) > 0
	}
	return false
}

// Takes tells whether a plan takes up an extension that a task has asked for.
func Takes(p plugins.Plan, e plugins.Extension) bool {
	switch e {
	case plugins.ExtensionSettle:
		return p.Settles
	case plugins.ExtensionRestore:
		return p.Restores
	case plugins.ExtensionShares:
		return p.Shares
	case plugins.ExtensionParts:
		return p.Parts
	case plugins.ExtensionSelects:
		return p.Selects
	case plugins.ExtensionPasses:
		return p.Passes
	case plugins.ExtensionNearest:
		return p.Nearest
	case plugins.ExtensionJoins:
		return p.Joins
	case plugins.ExtensionIntervals:
		return p.Intervals
	case plugins.ExtensionNetworks:
		return p.Networks
	case plugins.ExtensionBatches:
		return p.Batches
	case plugins.ExtensionPortions:
		return p.Portions
	case plugins.ExtensionHalves:
		return p.Halves
	case plugins.ExtensionLearns:
		return p.Learns
	}
	return false
}
