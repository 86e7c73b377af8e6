package plugins

// ExtensionWorkers is for procedures that learn (ExtensionLearns) whose workers several processes of the device divide.
// The arguments workers, processes and process say how many there are of both, and which this process is, from 0. Each
// is given every chunk, and the same Layout; a row that is named RoomRow is memory for them to meet in, zeros at first.
// Package plugins/mega does so: see mega.Processes.
//
// Each tells, by events with Work, of its own workers. The first tells of epochs, fills rows, and closes what is kept.
// Plan.Fixed of the others leaves out the layout, which is the same memory. When one dies, the host ends all.
//
// A device is asked for it only if its Description names it.
const ExtensionWorkers Extension = "workers"

// Arguments and the row of ExtensionWorkers.
const (
	ProcessArgument   = "process"
	ProcessesArgument = "processes"
	RoomRow           = "room"
)
