// Package ort calls ONNX Runtime, a library that runs models of matrices on many kinds of hardware.
// The library is loaded when asked for, by its path; nothing is linked to it, and without it
// everything else works.
//
//	Open     path ──▶ Runtime: the library, at a version both know      (runtime.go, api.go)
//	Session  model, Options ──▶ the model made ready by a provider       (session.go, append.go)
//	Binding  memory that inputs are read from and outputs written to     (binding.go)
//	Run      one pass through the model, canceled by its context        (run.go)
//	Memory   pages outside Go's heap, to bind                            (memory.go)
//
// # The C interface
//
// The library exports one function. It leads to a table of function pointers that only ever grows
// at its end, so an index of it is good for ever; api.go lists those that are used, by their
// signature in C. A library is asked for the newest table that it has, up to the one known here.
//
// # Memory
//
// What is bound is read and written in place, and is not copied where a provider works in the
// host's memory. It must be neither unmapped nor reused before the Binding is closed; Go's own
// memory is pinned meanwhile.
//
// Sessions make no plan of memory ahead: what an operator brings is allocated when it runs and freed after its last
// reader, in an arena that the session keeps. So a session holds what a run of it holds at a time, which its tensors'
// sizes tell, until it is closed; then the system has it back. Without the arena every run would have the system clear
// its pages anew: for min-plus of 4096 vertices that was 216 ms instead of 17.
//
// # Providers
//
// A provider is a driver of some hardware. Which are in the library was decided when it was built;
// since version 1.22 vendors also ship theirs apart, to be registered (vendor.go). Each needs
// libraries of its vendor besides (provider.go). What results may be expected of a provider is in its
// [Facts].
//
// # Without the C library
//
// A program that can load libraries is itself linked to the system's C library, even when built
// without cgo. With the build tag static it is not, and every library is refused.
package ort
