// Package faulty makes good devices bad, to prove that the conformance suite and the
// host notice. It wraps a device and obeys a script:
//
//	die at step 3; exceed at upload; lie at every apply
//
//	script  = fault { ";" fault } .
//	fault   = action "at" [ "every" ] command [ number ] .
//	action  = "die" | "hang" | "lie" | "exceed" | "stall" | "swell" | "spin" | "misstate" | "scribble" | "flood" |
//	          "fork" | "dial" | "pry" | "trace" | "remap" | "flush" .
//	command = "describe" | "open" | "compile" | "close" |
//	          "upload" | "evict" | "init" | "step" | "apply" | "iterate" | "call" |
//	          "settle" | "restore" | "gather" | "deliver" | "pass" .
//
// The number counts the commands of that name in the life of the device, from 1; without
// it and without "every" the first is meant.
//
//	die     the process exits with status 3, without a word
//	hang    the call never returns, whatever becomes of its context
//	lie     upload, evict, step: says that it is done and does nothing;
//	        all others: one vertex gets a wrong value
//	spin    keeps a processor busy for an hour
//	swell   takes memory of its own, up to 4 GiB, and goes on if it still can
//	misstate  compile: a plan with impossible sizes; all others: an event with impossible counts
//	exceed  reports one byte more than the budget
//	stall   settle: says that it is done, and that all is as it was; all others: nothing
//
// Others are tried before the command is obeyed, and standard error is told how that ended: scribble fills the arena,
// flood standard error; fork leaves a child behind, dial opens sockets, pry reads /etc/passwd, trace the host's memory,
// remap empties the arena, and flush has all wait for the disks.
//
// exceed and stall mean nothing at describe, open, compile and close, nor lie but at describe: there it says
// impossible things of the device.
package faulty
