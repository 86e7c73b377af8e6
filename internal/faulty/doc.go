// Package faulty makes good devices bad, to prove that the conformance suite and the
// host notice. It wraps a device and obeys a script:
//
//	die at step 3; exceed at upload; lie at every apply
//
//	script  = fault { ";" fault } .
//	fault   = action "at" [ "every" ] command [ number ] .
//	action  = "die" | "hang" | "lie" | "exceed" | "stall" | "swell" .
//	command = "describe" | "open" | "compile" | "close" |
//	          "upload" | "evict" | "init" | "step" | "apply" | "iterate" | "call" |
//	          "settle" | "restore" | "gather" | "deliver" .
//
// The number counts the commands of that name in the life of the device, from 1; without
// it and without "every" the first is meant.
//
//	die     the process exits with status 3, without a word
//	hang    the call never returns, whatever becomes of its context
//	lie     upload, evict, step: says that it is done and does nothing;
//	        all others: one vertex gets a wrong value
//	swell   takes memory of its own, up to 4 GiB, and goes on if it still can
//	exceed  reports one byte more than the budget
//	stall   settle: says that it is done, and that all is as it was; all others: nothing
//
// lie, exceed and stall mean nothing at describe, open, compile and close.
package faulty
