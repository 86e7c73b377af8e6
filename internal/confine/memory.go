package confine

import (
	"fmt"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
)

// Use is what a process takes: memory in bytes, tasks of the machine's, and time of its processors.
type Use struct {
	Own  uint64 // what it has allocated, in memory or swapped out: no memory that it shares, and no pages of files
	Most uint64 // the most that it has had in memory at a time, with what it shares, and with pages of files
	// Tables is what the kernel keeps of where its pages are.
	Tables uint64
	// Tasks are its threads, and those of its children where they are counted.
	Tasks uint64
	CPU   time.Duration // in its own code and in the kernel's, with that of children that it has waited for
}

// and is what two processes take.
func (u Use) and(v Use) Use {
	return Use{u.Own + v.Own, u.Most + v.Most, u.Tables + v.Tables, u.Tasks + v.Tasks, u.CPU + v.CPU}
}

// most is the most of each that one of two looks has found.
func (u Use) most(v Use) Use {
	return Use{max(u.Own, v.Own), max(u.Most, v.Most), max(u.Tables, v.Tables), max(u.Tasks, v.Tasks), max(u.CPU, v.CPU)}
}

// emptyTables are the bytes of tables in which there can be no page that it has, nor has had: a table has room for 512
// pages, and is made when the first of them is looked at, even to find that nothing is there. Files that it was handed
// may have been in memory, and are no more.
func (u Use) emptyTables(handed uint64) uint64 {
	const full, each = 4096 * 512, 4096
	known := u.Most + handed/full*each
	return u.Tables - min(u.Tables, known)
}

// Limit is what a process may have of memory of its own, in bytes. The zero value is no limit.
type Limit struct {
	Budget uint64 // for state, chunks and scratch, as its host has told it
	Beside uint64 // for the program
}

// Bytes are those of both.
func (l Limit) Bytes() uint64 { return (l.Budget + l.Beside) * instrumented }

// What a program may take beside the budget. What it has when it is opened counts up to a bound: its code's data, the
// libraries that it has loaded, a driver. Penstock's own has 5 MiB then. Garbage, stacks and messages come on top: no
// run of the built-in device was seen to take more than 10 MiB beside its budget (TestRun_DeviceKeepsToItsMemory).
const (
	mostWhenOpened = 512 << 20
	later          = 64 << 20
	laterByThread  = 1 << 20 // a stack, and what older kernels may be wrong by in counting
	// driver is what a device with memory of its own may take of the machine's: the budget is the card's then.
	driver = 2 << 30
	// unopened is for a program that has not said yet what it is, and been told no budget.
	unopened = 2 << 30
)

// beside is what a program may take beside its budget that has so much when it is opened.
func beside(has uint64, card bool) uint64 {
	bytes := min(has, mostWhenOpened) + later + laterByThread*uint64(runtime.NumCPU())
	if card {
		return max(bytes, driver)
	}
	return bytes
}

// MemoryError is a plugin that was killed because it had more memory of its own than it may.
type MemoryError struct {
	Limit Limit
	Own   uint64 // bytes that it had
	// Group is that the kernel killed it, for its control group would have had more than the limit and the bytes that
	// were handed to it.
	Group  bool
	Handed uint64
}

func (e *MemoryError) Error() string {
	if e.Group {
		return fmt.Sprintf("it wanted more than the budget of %s, %s for the program and %s that was handed to it, which its control "+
			"group holds, and was killed. It takes more than it says that it takes: tell who makes it, or give it more by --device-memory",
			humanize.IBytes(e.Limit.Budget), humanize.IBytes(e.Limit.Beside), humanize.IBytes(e.Handed))
	}
	if e.Limit.Budget == 0 {
		return fmt.Sprintf("it had %s of memory of its own before it was given any work, more than the %s for a program, and was killed",
			humanize.IBytes(e.Own), humanize.IBytes(e.Limit.Bytes()))
	}
	return fmt.Sprintf("it had %s of memory of its own, more than the budget of %s and %s for the program, and was killed. "+
		"It takes more than it says that it takes: tell who makes it, or give it more by --device-memory",
		humanize.IBytes(e.Own), humanize.IBytes(e.Limit.Budget), humanize.IBytes(e.Limit.Beside))
}
