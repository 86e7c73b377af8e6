// Package cgroup holds processes to so much memory, and so many of them, by control groups below the one that this
// process is in, where it may make such (cgroups(7)).
//
//	own group ──Make──▶ penstock-plugin-… ──Join──▶ a process and its children
//	                      │ Limit                     │
//	                      └── Ended ◀── the kernel kills what wants more, refuses to make more tasks
//
// The kernel counts all memory that the group was the first to touch: its own, that of files, also of those in memory,
// and the kernel's own for it. The directory of a group is locked as long as its maker lives, so that the next one can
// tell what is left of others, and removes that.
package cgroup

// Ended is what a group says of its processes.
type Ended struct {
	Killed  bool   // one was killed because they wanted more memory than the limit
	Refused bool   // one was refused a process or thread
	Most    uint64 // bytes that they had at a time; 0: the kernel does not say
}
