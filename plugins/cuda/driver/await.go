package driver

import (
	"context"
	"runtime"
	"syscall"
	"time"
)

// Await asks until the answer is yes, or the context ends. It never blocks in the driver, where a kernel that hangs
// would keep it.
func Await(ctx context.Context, query func() (bool, error)) error {
	for asked := 0; ; asked++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if done, err := query(); done || err != nil {
			return err
		}
		Rest(asked)
	}
}

// spins is how often the card is asked without a rest: a small kernel has ended by then.
const spins = 256

// nap is little beside what a chunk takes to be copied, and much beside asking.
const nap = 20 * time.Microsecond

// Rest is what passes before the card is asked again: nothing, the first times. It is the system's sleep: Go's
// takes a millisecond at least where nothing else is to be done.
func Rest(asked int) {
	if asked < spins {
		runtime.Gosched()
		return
	}
	wait := syscall.NsecToTimespec(nap.Nanoseconds())
	_ = syscall.Nanosleep(&wait, nil) // if it is interrupted, it was shorter
}

// prSetTimerSlack is PR_SET_TIMERSLACK of Linux's <sys/prctl.h>.
const prSetTimerSlack = 29

// WakeInTime has the system end this OS thread's sleeps when they are to end: by default it adds up to 50 µs, more than
// a nap. Where it does not, naps are longer.
func WakeInTime() { _, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerSlack, 1, 0) }
