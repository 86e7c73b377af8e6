// Package penstock is a property-graph database that runs analytics in place.
//
//	files ──Load──▶ store (Badger) ──▶ arena (shared memory) ──▶ device plugin (own process)
//	                  ▲                                              │
//	                  └──── Result.Write: one atomic step ◀── Run ───┘
//
// A DB is one directory; it may hold several graphs. Load and Generate bring a graph
// in, Run computes on its current snapshot in a plugin process, and the Result can be
// read, written to a file, or written back as a node property. Nothing is exported
// to be computed on, and nothing is global: a program may open several databases.
//
// Importing this package makes the program able to serve as its own CPU device: Run
// starts the program's executable again, and the copy turns into the plugin before
// main begins (package plugins/cpu/reexec).
package penstock
