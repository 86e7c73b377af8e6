// Package plan decides how a run is carried out, before anything of it runs: a request, what the manifest of a graph
// says and what devices say of themselves become a Plan, which running, estimating and explaining read.
//
//		Request ──Bind──▶ Computation ──Agree, with the devices──▶ Plan ──▶ Needs, Why, executors
//
//	 1. Bind resolves the request against the catalog of algorithms and the graph: parameters, columns, the program or
//	    procedure, the schedule (bind.go, sources.go, columns.go, property.go).
//	 2. Agree asks the devices, by a function that compiles a task, for what they need, and tries from the best way of running
//	    downward: all chunks on the device, parts that settle, iteration by iteration (agree.go).
//	 3. fit places the chunks in the arena, each at a place of its own or in slots through which they pass, or refuses a budget
//	    (fit.go; chunks.go, sizes.go and memory.go say how large everything is and where).
//
// Nothing here reads a chunk, touches the arena or starts a process.
package plan
