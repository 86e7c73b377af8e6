package plugins

// ExtensionIntervals computes a program whose state does not fit the device, of which two intervals of the vertices are
// there at a time, one that sends and one that receives (Ma et al., "NeuGraph: Parallel Deep Neural Network Computation
// on Large Graphs", ATC'19, section 3.1).
//
// Task.Intervals says so; it comes with Restorable, and Plan.Intervals takes it up. To the session it is a small graph,
// whose edges lead from the first half of the vertices to the second:
//
//	0           n/2         n
//	│ sources    │ destinations │
//
//	Init        other destinations; sources are as nothing
//	Restore     other sources; the first since Init or Apply: other destinations too, to which nothing has come
//	Step        adds to what has come to the destinations, also from sources before these
//	Apply       the next state of the destinations, and who of them is active, unless all are always; of sources
//	            nothing is asked
//
// Other vertices are there because the host has written the columns, inputs as well, and Layout.Active; of a source
// those columns that Process names. Sources are active, or do not send; destinations are not active. What comes along
// edges is the host's to bring: a Restore does not forget it before Apply.
//
// With Task.Settle, of programs that are Monotone with the default Apply, edges may lead from destinations to
// destinations as well, and destinations may be active: Step has those send, too. After Apply a Settle has destinations
// of its set send along such edges, which are all that they have, until none is active (Sabet et al., "Subway",
// EuroSys'20, section 4.3). A device that does not do it refuses the task by KindUnsupported, or says no by
// Plan.Settles or Plan.Intervals.
//
// With it, of programs that add up (algorithms.Program.AddsUp), Step has the active sources alone send. After Apply one
// Settle has each destination of its set that is not 0, or that one of these leads to, add what it has to those that it
// leads to, once, in topological order. Where these edges make a cycle that is KindUnsupported.
const ExtensionIntervals Extension = "intervals"
