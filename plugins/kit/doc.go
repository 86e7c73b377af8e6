// Package kit is what devices share: a device that uses it says what it computes, and the
// kit does the rest of the contract (package plugins).
//
//	Open ──▶ plugins.Session  obeys one command at a time, times it and answers it        session.go
//	  Compile ──▶ Compiled    the device makes a Program or a Procedure of a task         program.go
//	  Upload  ──▶ Chunk       opened in place, validated, charged to the budget           chunk.go
//	  Init, Step, Apply …     the device computes; what makes no sense now is refused     session.go
//	  Settle, Restore …       the extensions that the Program implements                  settle.go …
//
// A device that does not obey one command after the other uses the parts by themselves:
// Budget, OpenChunk, OpenColumns.
package kit
