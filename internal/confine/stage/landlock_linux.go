package stage

import (
	"syscall"
	"unsafe"
)

// Of landlock(7): numbers that are the same for every processor.
const (
	sysLandlockCreateRuleset = 444
	sysLandlockAddRule       = 445
	sysLandlockRestrictSelf  = 446
	rulePathBeneath          = 1
	rightsOfFiles            = 1 | 1<<1 | 1<<2 | 1<<14 | 1<<15 // execute, write, read, truncate, ioctl: what no folder has
)

// restrictFiles has Landlock deny what the ruleset does not allow. The host has asked which rights this kernel knows.
func restrictFiles(r Ruleset) syscall.Errno {
	if r.Files == 0 {
		return syscall.ENOSYS
	}
	attributes := [3]uint64{r.Files, r.Network, r.Scope}
	size := unsafe.Sizeof(attributes[0])
	switch {
	case r.Scope != 0:
		size *= 3
	case r.Network != 0:
		size *= 2
	}
	ruleset, _, errno := syscall.RawSyscall(sysLandlockCreateRuleset, uintptr(unsafe.Pointer(&attributes)), size, 0)
	if errno != 0 {
		return errno
	}
	for _, p := range r.Allowed {
		if errno := allow(ruleset, r.Files, p); errno != 0 {
			return errno
		}
	}
	_, _, errno = syscall.RawSyscall(sysLandlockRestrictSelf, ruleset, 0, 0)
	_ = syscall.Close(int(ruleset))
	return errno
}

// isOfProc tells which files the plugin must keep open. A rule is about an inode, and when the system needs memory it
// makes those of /proc anew, about which there is no rule, unless they are open.
func isOfProc(name string) bool {
	const proc = "/proc/"
	return len(name) > len(proc) && name[:len(proc)] == proc
}

// allow adds a rule for a path, of as many of its rights as the ruleset handles and its kind of file has.
func allow(ruleset uintptr, handled uint64, p Path) syscall.Errno {
	const openPath = 0x200000 // O_PATH
	descriptor, err := syscall.Open(p.Name, openPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0 // what is not there need not be allowed
	}
	if isOfProc(p.Name) {
		_, _, _ = syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(descriptor), syscall.F_SETFD, 0)
	} else {
		defer syscall.Close(descriptor)
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(descriptor, &stat); err != nil {
		return err.(syscall.Errno) //nolint:errorlint // as above
	}
	rights := p.Rights & handled
	if stat.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		rights &= rightsOfFiles
	}
	if rights == 0 {
		return 0
	}
	attributes := struct { // packed: 12 bytes
		rights     uint64
		descriptor int32
	}{rights, int32(descriptor)}
	_, _, errno := syscall.RawSyscall6(sysLandlockAddRule, ruleset, rulePathBeneath, uintptr(unsafe.Pointer(&attributes)),
		0, 0, 0)
	return errno
}
