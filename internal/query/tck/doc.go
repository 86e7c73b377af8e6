// Package tck runs openCypher's Technology Compatibility Kit against the engine.
//
//	PENSTOCK_TCK_FEATURES=…/tck/features go test ./internal/query/tck -run TCK -v
//
// Every scenario has a graph of its own. testdata/known_failures.txt names the scenarios that
// are known to fail; one that fails and is not there, and one that is there and passes, fail the
// test, so that the list can only become shorter.
package tck
