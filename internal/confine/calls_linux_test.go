//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func errnoOf(err error) (errno syscall.Errno) {
	if !errors.As(err, &errno) {
		panic(err)
	}
	return errno
}

// tryCalls makes every call that is refused, with arguments that no call can do anything with.
func tryCalls() {
	const none = ^uintptr(0)
	for _, call := range slices.Concat(refused, pretended, attributes, flushes,
		[]uint32{unix.SYS_VMSPLICE}) {
		_, _, errno := syscall.Syscall6(uintptr(call), none, none, none, none, none, none)
		tell(fmt.Sprint("call ", call), errno)
	}
	tell("clone3", second(syscall.Syscall(unix.SYS_CLONE3, 0, 0, 0)))
	tell("own terminal", unix.IoctlSetInt(0, unix.TIOCSTI, 0))
	tell("signals by ioctl", unix.IoctlSetInt(0, fiosetown, os.Getppid()))
	_, err := unix.IoctlGetInt(0, unix.FS_IOC_GETFLAGS)
	tell("flags of files", err)
	_, err = unix.IoctlGetInt(0, unix.TIOCINQ) // of /dev/null, or a pipe
	tell("what is to be read", ignore(err, unix.ENOTTY))
	for name, command := range map[string]int{"signals by fcntl": unix.F_SETOWN, "lease": unix.F_SETLEASE,
		"notes": unix.F_NOTIFY, "flags of its own": unix.F_GETFL} {
		_, err := unix.FcntlInt(0, command, 0)
		tell(name, err)
	}
	tell("outlive the host", unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0))
	tell("other options", unix.Prctl(unix.PR_GET_DUMPABLE, 0, 0, 0, 0))
	tell("memory to share with nobody", mapAnonymous(unix.MAP_SHARED))
	tell("memory of its own", mapAnonymous(unix.MAP_PRIVATE))
	tell("wait for what is mapped", second(syscall.Syscall(unix.SYS_MSYNC, 0, 0, unix.MS_SYNC))) // of nothing
	tell("look at what is mapped", second(syscall.Syscall(unix.SYS_MSYNC, 0, 0, unix.MS_ASYNC)))
	parent := os.Getppid()
	tell("signal to the host", unix.Kill(parent, 0))
	tell("signal to all", unix.Kill(-1, 0))
	tell("signal to a thread of the host", unix.Tgkill(parent, parent, 0))
	tell("signal to itself", unix.Kill(os.Getpid(), 0))
	tell("signal to its thread", unix.Tgkill(os.Getpid(), os.Getpid(), 0))
	var limit unix.Rlimit
	var turns unix.CPUSet
	_ = unix.SchedGetaffinity(0, &turns)
	for name, pid := range map[string]int{"the host": parent, "itself": os.Getpid(), "this thread": 0} {
		has, _ := unix.Getpriority(unix.PRIO_PROCESS, pid) // without walls it stays as it is: 20 less than what is told
		tell("priority of "+name, unix.Setpriority(unix.PRIO_PROCESS, pid, 20-has))
		tell("disk priority of "+name, second(syscall.Syscall(unix.SYS_IOPRIO_SET, ioprioWhoProcess, uintptr(pid), 0)))
		tell("processors of "+name, unix.SchedSetaffinity(pid, &turns))
	}
	const nobody = 1<<31 - 2 // who has no processes, for without walls this would be done to all of them
	tell("priority of a user", unix.Setpriority(unix.PRIO_USER, nobody, 0))
	tell("disk priority of a user", second(syscall.Syscall(unix.SYS_IOPRIO_SET, 3, nobody, 0)))
	tell("limits of the host", unix.Prlimit(parent, unix.RLIMIT_NOFILE, nil, &limit))
	tell("its limits", unix.Prlimit(0, unix.RLIMIT_NOFILE, nil, &limit))
}

// ignore is err, but for one that says the same as none.
func ignore(err, none error) error {
	if errors.Is(err, none) {
		return nil
	}
	return err
}

func mapAnonymous(kind int) error {
	_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ, unix.MAP_ANON|kind)
	return err
}

func second(_, _ uintptr, errno syscall.Errno) error { return errno }

// What no computation needs is refused, and all else is not.
func TestCalls_AreRefused(t *testing.T) {
	got, open := within(t, &Process{}, "calls"), within(t, nil, "calls")
	want := map[string]syscall.Errno{
		"signals_by_ioctl": unix.EPERM, "flags_of_files": unix.EPERM, "what_is_to_be_read": 0,
		"signals_by_fcntl": unix.EPERM, "lease": unix.EPERM, "notes": unix.EPERM, "flags_of_its_own": 0,
		"priority_of_the_host": unix.EPERM, "disk_priority_of_the_host": unix.EPERM, "processors_of_the_host": unix.EPERM,
		"priority_of_itself": 0, "disk_priority_of_itself": 0, "processors_of_itself": 0,
		"priority_of_this_thread": 0, "disk_priority_of_this_thread": 0, "processors_of_this_thread": 0,
		"priority_of_a_user": unix.EPERM, "disk_priority_of_a_user": unix.EPERM,
		"clone3": unix.ENOSYS, "own_terminal": unix.EPERM, "outlive_the_host": unix.EPERM, "other_options": 0,
		"signal_to_the_host": unix.EPERM, "signal_to_all": unix.EPERM, "signal_to_a_thread_of_the_host": unix.EPERM,
		"memory_to_share_with_nobody": unix.EPERM, "memory_of_its_own": 0,
		"wait_for_what_is_mapped": unix.EPERM, "look_at_what_is_mapped": 0,
		"signal_to_itself": 0, "signal_to_its_thread": 0, "limits_of_the_host": unix.EPERM, "its_limits": 0,
	}
	for _, call := range slices.Concat(refused, attributes, flushes, []uint32{unix.SYS_VMSPLICE}) {
		want[fmt.Sprint("call_", call)] = unix.EPERM
	}
	for _, call := range pretended {
		want[fmt.Sprint("call_", call)] = unix.ENOSYS
	}
	may := within(t, &Process{Grants: Grants{Write: []string{"/nonexistent"}}}, "calls")
	if may["memory_to_share_with_nobody"] != 0 || may[fmt.Sprint("call_", unix.SYS_FCHMODAT)] == unix.EPERM ||
		may[fmt.Sprint("call_", unix.SYS_FSYNC)] == unix.EPERM || may[fmt.Sprint("call_", unix.SYS_SYNC)] != unix.EPERM {
		t.Error("who may write files cannot share memory, change modes or wait for the disk, or can for that of others")
	}
	walled := 0
	for what, errno := range want {
		if got[what] != errno {
			t.Errorf("%s: %v, want %v", what, got[what], errno)
		}
		if open[what] != got[what] {
			walled++
		}
	}
	if len(got) != len(want) || walled < len(want)/3 { // much is refused to who is not root, and in containers, anyway
		t.Errorf("%d of %d attempts, of which %d end otherwise without walls", len(got), len(want), walled)
	}
}

func tryNetwork() {
	for name, family := range map[string]int{"internet": unix.AF_INET, "internet 6": unix.AF_INET6,
		"netlink": unix.AF_NETLINK, "packets": unix.AF_PACKET, "local": unix.AF_UNIX} {
		socket, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil && family == unix.AF_NETLINK {
			socket, err = unix.Socket(family, unix.SOCK_RAW, 0)
		}
		tell(name, err)
		unix.Close(socket)
	}
	_, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	tell("local datagrams", err)
	for name, kind := range map[string]int{"pair": unix.SOCK_STREAM | unix.SOCK_CLOEXEC,
		"pair of datagrams": unix.SOCK_DGRAM} {
		pair, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
		tell(name, err)
		unix.Close(pair[0])
		unix.Close(pair[1])
	}
	socket, _ := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	tell("connect", unix.Connect(socket, &unix.SockaddrUnix{Name: "/nonexistent/socket"}))
}

// There is a local socket, that others connect to, and no other, unless the network is granted.
func TestNetwork_IsClosed(t *testing.T) {
	for _, c := range []struct {
		granted Grants
		want    map[string]syscall.Errno
	}{
		{Grants{}, map[string]syscall.Errno{"internet": unix.EPERM, "internet_6": unix.EPERM, "netlink": unix.EPERM,
			"packets": unix.EPERM, "local": 0, "local_datagrams": unix.EPERM, "connect": unix.EPERM, "pair": unix.EPERM,
			"pair_of_datagrams": unix.EPERM}},
		{Grants{Processes: true}, map[string]syscall.Errno{"connect": unix.EPERM, "pair": 0,
			"pair_of_datagrams": unix.EPERM}},
		{Grants{Network: true}, map[string]syscall.Errno{"internet": 0, "internet_6": 0, "netlink": 0, "packets": unix.EPERM,
			"local": 0, "local_datagrams": unix.EPERM, "connect": unix.ENOENT, "pair": 0, "pair_of_datagrams": 0}},
	} {
		got, want := within(t, &Process{Grants: c.granted}, "network"), c.want
		if got["internet_6"] == unix.EAFNOSUPPORT {
			want["internet_6"] = unix.EAFNOSUPPORT // this machine has none
		}
		for what, errno := range want {
			if got[what] != errno {
				t.Errorf("granted %+v: %s: %v, want %v", c.granted, what, got[what], errno)
			}
		}
	}
}

func tryProcesses() {
	child := &exec.Cmd{Path: "/proc/self/exe", Args: []string{"child", "-test.run=none"}, Env: []string{"CHILD=1"}}
	tell("child", child.Run())
	forked, _, errno := syscall.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0)
	if forked == 0 && errno == 0 {
		unix.Exit(0)
	}
	tell("fork", errno)
	tell("session", second(syscall.Syscall(unix.SYS_SETSID, 0, 0, 0)))
	begun := make(chan bool)
	for range 20 {
		go func() {
			runtime.LockOSThread() // a thread each
			begun <- true
			select {}
		}()
	}
	for range 20 {
		<-begun
	}
	tell("threads", nil)
}

// A plugin has threads, and no children, unless they are granted; these cannot leave its group.
func TestProcesses_AreOne(t *testing.T) {
	got := within(t, &Process{}, "processes")
	if got["child"] != unix.EPERM || got["fork"] != unix.EPERM || got["session"] != unix.EPERM || got["threads"] != 0 {
		t.Errorf("%v", got)
	}
	got = within(t, &Process{Grants: Grants{Processes: true}}, "processes")
	if got["child"] != 0 || got["session"] != unix.EPERM || got["threads"] != 0 {
		t.Errorf("granted: %v", got)
	}
}

func showStatus() {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":\t")
		var number int
		if _, err := fmt.Sscanf(value, "%x", &number); err == nil {
			fmt.Println(name, number)
		}
	}
	var core unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &core); err != nil {
		panic(err)
	}
	fmt.Println("core", core.Max)
}

// No capability is left, and none comes back by another program.
func TestPrivileges_AreGone(t *testing.T) {
	got := within(t, &Process{}, "status")
	want := map[string]syscall.Errno{"CapEff": 0, "CapPrm": 0, "CapInh": 0, "CapAmb": 0, "NoNewPrivs": 1, "Seccomp": 2,
		"core": 0}
	if os.Getuid() == 0 {
		want["CapBnd"] = 0
	}
	for name, value := range want {
		if found, ok := got[name]; !ok || found != value {
			t.Errorf("%s is %d, want %d", name, int(found), int(value))
		}
	}
}

// A program that cannot be run is told as such.
func TestBuild_TellsWhyThereIsNoProgram(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]error{"/nonexistent/program": os.ErrNotExist, text: unix.ENOEXEC,
		"/": unix.EACCES} {
		p := Process{Program: program, Args: []string{program}}
		cmd := &exec.Cmd{Path: program}
		b, err := p.Build(cmd)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if _, err := b.Start(cmd); err != nil {
			t.Fatal(err)
		}
		var path *os.PathError
		if _, err := b.States(); !errors.Is(err, want) || !errors.As(err, &path) || path.Path != program {
			t.Errorf("%s: %v", program, err)
		}
		if cmd.Wait() == nil {
			t.Errorf("%s: the stage ends well", program)
		}
	}
}
