// Package penstock is an embedded property-graph database that runs analytics in place.
//
//	files ──Load──▶ store (Badger) ──▶ arena (shared memory) ──▶ device plugin (own process)
//	                  ▲                                              │
//	                  └──── Result.Write: one atomic step ◀── Run ───┘
//
// A DB is one directory; it may hold several graphs. Load brings a graph in. Query and Tx read and change it in
// openCypher. Run computes on it in a plugin process, and the Result can be read, written to a file, or written back as
// a node property. Nothing is exported to be computed on, and nothing is global: a program may open several databases.
//
// Errors that a program decides by are ErrConflict and its like, for errors.Is; *StatementError and *plugins.Error, for
// errors.As; and *formats.ParseError for bad input.
//
// Importing this package makes the program able to serve as its own CPU device: Run starts the program's executable
// again, and the copy turns into the plugin before main begins.
package penstock
