//go:build amd64 || arm64

package confine

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/confine/stage"
)

// refused are system calls that no plugin needs to compute. Most want capabilities, of which it has none; they are
// refused all the same, for they are where kernels have been broken.
var refused = slices.Concat([]uint32{
	// other processes: their memory, their files
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	// what ties it to its host
	unix.SYS_SETSID, unix.SYS_SETPGID,
	// namespaces, and what is mounted
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_TREE_ATTR, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	// files past their names
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
	unix.SYS_INOTIFY_ADD_WATCH,
	// the kernel
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE,
	unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SYSLOG, unix.SYS_ACCT,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_NFSSERVCTL,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	// everybody's disks, on which all who write would wait
	unix.SYS_SYNC, unix.SYS_SYNCFS,
	// memory and messages that outlive it
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP,
	unix.SYS_SEMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN,
	unix.SYS_MQ_UNLINK,
}, refusedHere)

// pretended are calls that a library makes when it can, and does without when it cannot. What io_uring does is seen by
// no filter.
var pretended = []uint32{unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

// attributes are calls that change what is said of files: their modes, owners, times. Landlock does not deny them, so
// that a file which may not be opened could be opened by nobody after them, or by everybody.
var attributes = slices.Concat([]uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTR,
	unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
}, attributesHere)

// flushes are calls that wait for the disk. Who keeps nothing needs none, and by a file of others that it may read it
// would have the disk write what others have not waited for.
var flushes = []uint32{unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNC_FILE_RANGE}

const (
	tiocsti     = 0x5412 // puts characters into a terminal, as if they had been typed
	fiosetown   = 0x8901 // whom the kernel sends signals when there is something to read
	siocspgrp   = 0x8902 // likewise
	ofTerminals = 0x5400 // commands of terminals and pipes
	// ioprioWhoProcess is of ioprio_set(2): the call is about one process.
	ioprioWhoProcess = 1
	newNamespaces    = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
)

// callFilter is the filter of a plugin.
func callFilter(g Grants) ([]stage.Instruction, []uint64) {
	f := newFilter()
	for _, call := range refused {
		f.always(call, refuse)
	}
	for _, call := range pretended {
		f.always(call, pretend)
	}
	f.rule(unix.SYS_PRCTL, func() { // it would no longer die with its host
		f.argument(0)
		f.add(equal, unix.PR_SET_PDEATHSIG, 0, 1)
		f.add(answer, refuse)
		f.add(answer, allowCall)
	})
	f.files(g)
	f.memory(g)
	f.processes(g)
	f.signals(g)
	f.network(g)
	return f.done()
}

// files refuses what Landlock has no right for. A driver may want it for the kernels that it keeps.
func (f *filter) files(g Grants) {
	if g.keepsNothing() {
		for _, call := range slices.Concat(attributes, flushes) {
			f.always(call, refuse)
		}
		f.rule(unix.SYS_MSYNC, func() {
			f.argument(2)
			f.add(anyBit, unix.MS_SYNC, 0, 1)
			f.add(answer, refuse)
			f.add(answer, allowCall)
		})
	}
	f.rule(unix.SYS_IOCTL, func() {
		f.argument(1)
		for _, command := range []uint32{tiocsti, fiosetown, siocspgrp} {
			f.add(equal, command, 0, 1)
			f.add(answer, refuse)
		}
		if g.keepsNothing() && !g.Network { // else devices and interfaces have theirs; this leaves those of file systems
			f.add(mask, 0xffffff00)
			f.onlyIf(ofTerminals)
		}
		f.add(answer, allowCall)
	})
	f.rule(unix.SYS_FCNTL, func() { // signals to others by the kernel's hand, and files that nobody else can open
		f.argument(1)
		for _, command := range []uint32{unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETLEASE, unix.F_NOTIFY} {
			f.add(equal, command, 0, 1)
			f.add(answer, refuse)
		}
		f.add(answer, allowCall)
	})
}

// memory refuses what nobody would count as its own: what a process would share with children alone, of which it has
// none, and pages that lie in a pipe and nowhere else.
func (f *filter) memory(g Grants) {
	if !g.keepsNothing() {
		return
	}
	f.always(unix.SYS_VMSPLICE, refuse)
	f.rule(unix.SYS_MMAP, func() {
		f.argument(3)
		f.add(mask, unix.MAP_ANONYMOUS|unix.MAP_SHARED)
		f.add(equal, unix.MAP_ANONYMOUS|unix.MAP_SHARED, 0, 1)
		f.add(answer, refuse)
		f.add(answer, allowCall)
	})
}

// processes allows threads. A library that would use clone3, whose arguments a filter does not see, uses clone instead.
func (f *filter) processes(g Grants) {
	f.always(unix.SYS_CLONE3, pretend)
	f.rule(unix.SYS_CLONE, func() {
		f.argument(0)
		f.add(anyBit, newNamespaces, 0, 1)
		f.add(answer, refuse)
		if !g.Processes {
			f.add(anyBit, unix.CLONE_THREAD, 1, 0)
			f.add(answer, refuse)
		}
		f.add(answer, allowCall)
	})
	if !g.Processes {
		for _, call := range forks {
			f.always(call, refuse)
		}
	}
}

// signals allows those to itself. A plugin that has children must reach them, see Landlock's scope.
func (f *filter) signals(g Grants) {
	f.onlyItself(unix.SYS_PRLIMIT64, 0)
	f.onlyItself(unix.SYS_SCHED_SETSCHEDULER, 0)
	f.onlyItself(unix.SYS_SCHED_SETPARAM, 0)
	f.onlyItself(unix.SYS_SCHED_SETATTR, 0)
	f.onlyItself(unix.SYS_SCHED_SETAFFINITY, 0)
	f.onlyOwnTurn(unix.SYS_SETPRIORITY, unix.PRIO_PROCESS)
	f.onlyOwnTurn(unix.SYS_IOPRIO_SET, ioprioWhoProcess)
	f.onlyItself(unix.SYS_MIGRATE_PAGES, 0)
	f.onlyItself(unix.SYS_MOVE_PAGES, 0)
	if g.Processes {
		return
	}
	f.onlyItself(unix.SYS_KILL)
	f.onlyItself(unix.SYS_TKILL)
	f.onlyItself(unix.SYS_TGKILL)
	f.onlyItself(unix.SYS_RT_SIGQUEUEINFO)
	f.onlyItself(unix.SYS_RT_TGSIGQUEUEINFO)
	f.always(unix.SYS_PIDFD_OPEN, refuse)
	f.always(unix.SYS_PIDFD_SEND_SIGNAL, refuse)
}

// onlyOwnTurn allows a call about when a process has its turn if it is about one process, and that is this one.
func (f *filter) onlyOwnTurn(call, oneProcess uint32) {
	f.rule(call, func() {
		f.argument(0)
		f.onlyIf(oneProcess)
		f.ifItself(1, 0)
	})
}

// network allows a Unix socket that others connect to, as the host does, and connects to nobody.
func (f *filter) network(g Grants) {
	f.rule(unix.SYS_SOCKET, func() {
		f.argument(0)
		if g.Network {
			for _, family := range []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK} {
				f.add(equal, family, 0, 1)
				f.add(answer, allowCall)
			}
		}
		f.onlyIf(unix.AF_UNIX)
		f.argument(1)
		f.add(mask, ^uint32(unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK))
		f.onlyIf(unix.SOCK_STREAM)
		f.add(answer, allowCall)
	})
	if g.Network {
		return
	}
	f.always(unix.SYS_CONNECT, refuse)
	if g.keepsNothing() && !g.Processes { // what lies in a socket nobody counts as memory
		f.always(unix.SYS_SOCKETPAIR, refuse)
		return
	}
	f.rule(unix.SYS_SOCKETPAIR, func() { // a datagram goes to whom it names, connected or not
		f.argument(1)
		f.add(mask, ^uint32(unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK))
		f.onlyIf(unix.SOCK_STREAM)
		f.add(answer, allowCall)
	})
}
