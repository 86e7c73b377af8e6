package plugins

// Extension names a part of the contract beyond its core. A device has none of them, some
// or all; a file of each, or of two that are alike, says what it is for and what the two sides promise.
//
// A device says yes in one of two ways. What does not depend on the task it describes beforehand.
// What does, it answers: the Task asks, and the Plan takes it up or leaves it out. Description.Extensions names them
// all, so that the host knows before a run what a device lacks. A device that has never heard of an extension leaves it
// out as well, and is never sent its commands.
//
//	extension  Describe    Task         Plan      commands
//	files      MapsFiles                          Upload with File
//	lanes      Lanes       Lanes                  the core's
//	selects                ActiveRows   Selects   Upload with Among
//	settle                 Settle       Settles   Settle
//	restore                Restorable   Restores  Restore
//	shares                 Share        Shares    Restore after each Apply
//	joins                  Joins        Joins     Restore after Apply
//	parts                  Part         Parts     Gather, Deliver
//	passes                 Passes       Passes    the core's, of a procedure
//	intervals              Intervals    Intervals the core's, Restore
//	nearest                Nearest      Nearest   Settle
//	networks               Network      Networks  Pass
//	batches                Network      Batches   Pass with Batch
//	portions               Network      Portions  Pass with Batch
//	halves                 Network      Halves    Rows
//	learns                 Layout.Rows  Learns    Call
//	properties Extensions  Program                the core's
type Extension string
