package stage

import (
	"syscall"
	"unsafe"
)

// Variable says in the environment of a stage which descriptor its orders are in.
const Variable = "PENSTOCK_STAGE"

// maxOrders bounds what is read of them, in bytes.
const maxOrders = 16 << 20

func init() {
	text, told := syscall.Getenv(Variable)
	if !told {
		return
	}
	orders, ok := read(text)
	if !ok {
		return // it is not a host that says so
	}
	perform(orders)
}

// read takes the orders out of the file whose descriptor is told.
func read(told string) (Orders, bool) {
	descriptor := 0
	for _, r := range told {
		if r < '0' || r > '9' || descriptor > 1<<16 {
			return Orders{}, false
		}
		descriptor = 10*descriptor + int(r-'0')
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(descriptor, &stat); err != nil || stat.Size > maxOrders {
		return Orders{}, false
	}
	bytes := make([]byte, stat.Size)
	if n, err := syscall.Pread(descriptor, bytes, 0); err != nil || n != len(bytes) {
		return Orders{}, false
	}
	orders, ok := Decode(bytes)
	if ok {
		syscall.CloseOnExec(descriptor)
		syscall.CloseOnExec(int(orders.Report))
	}
	return orders, ok
}

// perform obeys, and becomes the program. Rights are taken from this thread alone, which is the one that init runs on
// and the one that becomes the program. A step that the kernel lacks is told and left out; after any other failure
// there is no program.
func perform(o Orders) {
	steps := []struct {
		name Step
		do   func() syscall.Errno
	}{
		{StepLimits, func() syscall.Errno { return setLimits(o.Limits) }},
		{StepCapabilities, dropCapabilities},
		{StepPrivileges, func() syscall.Errno { return prctl(prSetNoNewPrivs, 1, 0) }},
		{StepFiles, func() syscall.Errno { return restrictFiles(o.Files) }},
		{StepFilter, func() syscall.Errno { return loadFilter(o.Filter, o.OwnPID) }},
	}
	for _, step := range steps {
		errno := step.do()
		report(o, step.name, errno)
		if errno != 0 && !lacking(errno) {
			syscall.Exit(1)
		}
	}
	err := syscall.Exec(o.Program, o.Args, o.Env)
	errno, _ := err.(syscall.Errno) //nolint:errorlint // it is no wrapped one, and package errors comes later
	report(o, StepProgram, errno)
	syscall.Exit(1)
}

// lacking tells whether an error says that the kernel does not have something, or not now.
func lacking(errno syscall.Errno) bool { return errno == syscall.ENOSYS || errno == syscall.EOPNOTSUPP }

func report(o Orders, step Step, errno syscall.Errno) {
	_, _ = syscall.Write(int(o.Report), encodeResult(Result{step, uint64(errno)}))
}

func setLimits(limits []Limit) syscall.Errno {
	for _, l := range limits {
		both := [2]uint64{l.Value, l.Value}
		_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, 0, uintptr(l.Resource), uintptr(unsafe.Pointer(&both)), 0,
			0, 0)
		if errno != 0 {
			return errno
		}
	}
	return 0
}

// Of prctl(2) and capabilities(7).
const (
	prCapBoundingSetRead = 23
	prCapBoundingSetDrop = 24
	prSetNoNewPrivs      = 38
	prCapAmbient         = 47
	prCapAmbientClearAll = 4
	capabilityVersion3   = 0x20080522
	mostCapabilities     = 64
)

func prctl(option, a, b uintptr) syscall.Errno {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, option, a, b, 0, 0, 0)
	return errno
}

// dropCapabilities leaves none, whatever program this becomes and whoever runs it: root is a user as any other then.
// Who has none has none to drop.
func dropCapabilities() syscall.Errno {
	for c := range uintptr(mostCapabilities) {
		if prctl(prCapBoundingSetRead, c, 0) == syscall.EINVAL {
			break // there are no more
		}
		if errno := prctl(prCapBoundingSetDrop, c, 0); errno != 0 && errno != syscall.EPERM {
			return errno
		}
	}
	if errno := prctl(prCapAmbient, prCapAmbientClearAll, 0); errno != 0 {
		return errno
	}
	header := struct {
		version uint32
		pid     int32
	}{version: capabilityVersion3}
	var none [2]struct{ effective, permitted, inheritable uint32 }
	_, _, errno := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)),
		uintptr(unsafe.Pointer(&none)), 0)
	return errno
}

// Of seccomp(2).
const (
	seccompSetModeFilter   = 1
	seccompFilterSpecAllow = 4
)

// loadFilter has seccomp look at every system call from now on. A plugin computes: it keeps the speculation of the
// processor that older kernels take from whom they filter.
func loadFilter(filter []Instruction, ownPID []uint64) syscall.Errno {
	if len(filter) == 0 {
		return syscall.ENOSYS
	}
	for _, n := range ownPID {
		filter[n].K = uint32(syscall.Getpid())
	}
	program := struct {
		length uint16
		filter *Instruction
	}{uint16(len(filter)), &filter[0]}
	_, _, errno := syscall.RawSyscall(sysSeccomp, seccompSetModeFilter, seccompFilterSpecAllow,
		uintptr(unsafe.Pointer(&program)))
	if errno == syscall.EINVAL { // Linux before 4.17
		_, _, errno = syscall.RawSyscall(sysSeccomp, seccompSetModeFilter, 0, uintptr(unsafe.Pointer(&program)))
	}
	if errno == syscall.EINVAL {
		errno = syscall.ENOSYS // built without filters
	}
	return errno
}
