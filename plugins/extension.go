package plugins

import "slices"

// Extension names a part of the contract beyond its core. A device has none of them, some
// or all; a file of each, or of two that are alike, says what it is for and what the two sides promise.
//
// A device says yes in one of two ways. What does not depend on the task it describes beforehand: Description.Offers.
// What does, it answers: the Task asks, and the Plan takes it up or leaves it out. Description.Extensions names them
// all, so that the host knows before a run what a device lacks. A device that has never heard of an extension leaves it
// out as well, and is never sent its commands.
//
//	extension  Describe    Task         Plan      commands
//	files      MapsFiles                          Upload with File
//	lanes      Lanes       Lanes                  the core's
//	peers      Peers                              Upload with Export and Import
//	selects                ActiveRows   Selects   Upload with Among
//	settle                 Settle       Settles   Settle
//	restore                Restorable   Restores  Restore
//	shares                 Share        Shares    Restore after each Apply
//	parts                  Part         Parts     Gather, Deliver
//	passes                 Passes       Passes    the core's, of a procedure
type Extension string

// Extensions are all that there are, in the order in which a device's author may best take them up.
func Extensions() []Extension {
	return []Extension{ExtensionFiles, ExtensionRestore, ExtensionSettle, ExtensionSelects, ExtensionLanes,
		ExtensionShares, ExtensionParts, ExtensionPeers, ExtensionPasses}
}

// Offers tells whether a device has described an extension: files, lanes or peers.
func (d Description) Offers(e Extension) bool {
	switch e {
	case ExtensionFiles:
		return d.MapsFiles
	case ExtensionLanes:
		return d.Lanes > 0
	case ExtensionPeers:
		return d.Peers != ""
	}
	return false
}

// Lacks tells whether a device has said what it takes up, and an extension is not among that. One that has not said
// anything lacks nothing: its plan tells.
func (d Description) Lacks(e Extension) bool {
	return len(d.Extensions) > 0 && !slices.Contains(d.Extensions, e) && !d.Offers(e)
}

// Asks tells whether a task would use an extension. Of files and peers only an Upload tells.
func (t Task) Asks(e Extension) bool {
	switch e {
	case ExtensionSettle:
		return t.Settle
	case ExtensionRestore:
		return t.Restorable
	case ExtensionShares:
		return t.Share != nil
	case ExtensionParts:
		return t.Part
	case ExtensionLanes:
		return len(t.Lanes) > 0
	case ExtensionSelects:
		return t.ActiveRows
	case ExtensionPasses:
		return t.Passes
	}
	return false
}

// Takes tells whether a plan takes up an extension that a task has asked for.
func (p Plan) Takes(e Extension) bool {
	switch e {
	case ExtensionSettle:
		return p.Settles
	case ExtensionRestore:
		return p.Restores
	case ExtensionShares:
		return p.Shares
	case ExtensionParts:
		return p.Parts
	case ExtensionSelects:
		return p.Selects
	case ExtensionPasses:
		return p.Passes
	}
	return false
}
