package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

func start(t *testing.T, opts Options) (*Plugin, error) {
	t.Helper()
	spec, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	return Start(context.Background(), spec, opts)
}

func mustStart(t *testing.T, opts Options) *Plugin {
	t.Helper()
	p, err := start(t, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func TestStart_DescribesItself(t *testing.T) {
	processtest.Traceless(t)
	p := mustStart(t, Options{})
	d, err := p.Device.Describe(context.Background())
	if err != nil || d.Version != "1.2.3" {
		t.Fatalf("%+v, %v", d, err)
	}
	if p.Protocol() != handshake.ProtocolMax {
		t.Errorf("protocol %d", p.Protocol())
	}
	p.Close()
	if !processtest.Gone(p.PID()) {
		t.Error("the process outlived Close")
	}
	if digest, err := p.Digest(); err != nil || len(digest) != 64 {
		t.Errorf("digest %q, %v", digest, err)
	}
}

func TestKill_EndsAStoppedProcess(t *testing.T) {
	processtest.Traceless(t)
	p := mustStart(t, Options{})
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if !processtest.Gone(p.PID()) {
		t.Error("the process outlived Kill")
	}
	p.Kill() // again: nothing happens
}

func TestClose_KillsWhoDoesNotListen(t *testing.T) {
	processtest.Traceless(t)
	p := mustStart(t, Options{})
	p.timeout = 50 * time.Millisecond
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.Close()
	if !processtest.Gone(p.PID()) {
		t.Error("the process outlived Close")
	}
}

func TestStart_FailsAndLeavesNothing(t *testing.T) {
	for how, says := range map[string]string{
		"mute":             "timeout",
		"leave":            "it ended before it served: exit status 3; it wrote:\nno such device: /dev/turbine0",
		"talk":             `it wrote "hello, world" to standard output`,
		"mumble":           `it wrote "starting 1|1|unix|`,
		"panic":            "panic: runtime error: invalid memory address",
		"listen elsewhere": "it listens at tcp 127.0.0.1:1, not in its folder",
	} {
		t.Run(how, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(behavior, how)
			timeout := time.Minute
			if how == "mute" {
				timeout = 2 * time.Second
			}
			_, err := start(t, Options{Timeout: timeout})
			if plugins.KindOf(err) != plugins.KindLaunch || !strings.Contains(err.Error(), says) {
				t.Errorf("error %v; expected %q in it", err, says)
			}
		})
	}
}

// A plugin that makes a process before it serves fails at once, and starts where that is granted: the child is heard,
// whatever its parent keeps open.
func TestStart_ForksBeforeItServes(t *testing.T) {
	for _, granted := range []bool{false, true} {
		processtest.Traceless(t)
		t.Setenv(behavior, "fork")
		spec, err := Self()
		if err != nil {
			t.Fatal(err)
		}
		spec.Grants.Processes = granted
		p, err := Start(context.Background(), spec, Options{})
		if !granted {
			if plugins.KindOf(err) != plugins.KindLaunch || !strings.Contains(err.Error(), "operation not permitted") ||
				!strings.Contains(err.Error(), "--no-confinement") {
				t.Errorf("error %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if d, err := p.Device.Describe(context.Background()); err != nil || d.Version != "1.2.3" {
			t.Errorf("%+v, %v", d, err)
		}
		p.Close()
	}
}

// killing kills the process whose id comes first in what is written to it.
type killing struct{ text []byte }

func (k *killing) Write(b []byte) (int, error) {
	k.text = append(k.text, b...)
	var pid int
	if strings.HasSuffix(string(k.text), "\n") {
		if n, _ := fmt.Sscanf(string(k.text), "pid %d\n", &pid); n == 1 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return len(b), nil
}

// A plugin that another process kills before it has shaken hands has died: it may well start the next time. What ends
// by itself, or is killed because it says nothing, does not start.
func TestStart_KilledByOthersHasDied(t *testing.T) {
	for _, how := range []string{"await death", "await death while it shakes hands"} {
		t.Run(how, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(behavior, how)
			_, err := start(t, Options{Log: &killing{}})
			if plugins.KindOf(err) != plugins.KindDied || !strings.Contains(err.Error(), "signal: killed") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// What a spec says counts for more than what the host's environment has.
func TestStart_TellsThePlugin(t *testing.T) {
	processtest.Traceless(t)
	t.Setenv(behavior, "mute")
	spec, err := Embedded("cpu")
	if err != nil {
		t.Fatal(err)
	}
	spec.Env = []string{behavior + "=leave"}
	if _, err := Start(context.Background(), spec, Options{}); err == nil ||
		!strings.Contains(err.Error(), "/dev/turbine0") {
		t.Errorf("error %v", err)
	}
}

// Devices that this program is itself differ by their arguments, and by what they are told and load.
func TestIdentity_TellsDevicesApart(t *testing.T) {
	cpu, _ := Self()
	npu, _ := Embedded("npu")
	told, loads := npu, npu
	told.Env = []string{"PROVIDER=cann"}
	loads.Libraries = []File{{"/lib/libonnxruntime.so", strings.Repeat("ab", 32)}}
	seen := map[string]bool{}
	for _, spec := range []Spec{cpu, npu, told, loads} {
		if seen[spec.Identity()] || spec.BuiltIn() != (spec.Name == "cpu") || !spec.Lasting() {
			t.Errorf("%+v", spec)
		}
		seen[spec.Identity()] = true
	}
}

func TestStart_NoSuchFile(t *testing.T) {
	processtest.Traceless(t)
	_, err := Start(context.Background(), Spec{Name: "absent", Path: "/nonexistent/plugin"}, Options{})
	if plugins.KindOf(err) != plugins.KindLaunch || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestStart_Canceled(t *testing.T) {
	processtest.Traceless(t)
	t.Setenv(behavior, "mute")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	spec, _ := Self()
	if _, err := Start(ctx, spec, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestStart_RefusesAnotherFile(t *testing.T) {
	processtest.Traceless(t)
	path := filepath.Join(t.TempDir(), "plugin")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ntouch "+path+".ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	installed := strings.Repeat("ab", 32)
	_, err := Start(context.Background(), Spec{Name: "p", Path: path, SHA256: installed}, Options{})
	var wrong *ChecksumError
	if !errors.As(err, &wrong) || wrong.Expected != installed || wrong.File != path {
		t.Fatalf("error %v", err)
	}
	if found, _ := Digest(path); wrong.Found != found {
		t.Errorf("found %s, the file has %s", wrong.Found, found)
	}
	if _, err := os.Stat(path + ".ran"); err == nil {
		t.Error("it was started all the same")
	}
}

func TestDeath_TellsSignalAndLastWords(t *testing.T) {
	processtest.Traceless(t)
	t.Run("killed", func(t *testing.T) {
		p := mustStart(t, Options{})
		syscall.Kill(p.PID(), syscall.SIGKILL)
		<-p.Exited()
		if err := p.Death(); plugins.KindOf(err) != plugins.KindDied || !strings.Contains(err.Error(), "killed") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("panicked", func(t *testing.T) {
		p := mustStart(t, Options{})
		region, err := arena.Create(1)
		if err != nil {
			t.Fatal(err)
		}
		defer region.Close()
		if _, err := p.Device.Open(context.Background(), plugins.Job{Arena: region}); err == nil {
			t.Fatal("it did not panic")
		}
		<-p.Exited()
		if err := p.Death(); !strings.Contains(err.Error(), "exit status 2") {
			t.Errorf("error %v", err)
		}
	})
}

// A host that is killed cannot end its plugin: the kernel or the plugin itself must. That goes for children as well.
func TestPlugin_DiesWithItsHost(t *testing.T) {
	for _, how := range []string{"", "fork"} {
		t.Setenv(behavior, how)
		host, pid, walled := startHost(t)
		pids := append(childrenOf(pid), pid)
		if processtest.Gone(pid) || runtime.GOOS == "linux" && (how == "fork") != (len(pids) > 1) {
			t.Fatalf("to begin with there are %v", pids)
		}
		host.Process.Kill()
		host.Wait()
		if !walled {
			t.Skip("there are no namespaces for children here")
		}
		for _, pid := range pids {
			processtest.Soon(t, "the plugin outlived its host", func() bool { return processtest.Gone(pid) })
		}
	}
}

// startHost starts a host with a plugin, and tells whether that one's children end with it.
func startHost(t *testing.T) (host *exec.Cmd, pid int, together bool) {
	t.Helper()
	host = exec.Command(os.Args[0], hostArg)
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err == nil {
		err = host.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(line, &pid, &together); err != nil {
		t.Fatal(err)
	}
	return host, pid, together
}

// childrenOf are the processes that a process has made; none where the system does not list them.
func childrenOf(pid int) (children []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			child, _ := strconv.Atoi(field)
			children = append(children, child)
		}
	}
	return children
}

// Only variables that are named reach a plugin, and those of its own: families such as GO* have credentials among them.
func TestEnvironment_KeepsSecretsOut(t *testing.T) {
	got := environment("my-device", []string{"PATH=/bin", "AWS_SECRET_ACCESS_KEY=x", "GOPROXY=https://me:secret@proxy",
		"GOAUTH=netrc", "PENSTOCK_PASSWORD=x", "PENSTOCK_DB=/db", "PENSTOCK_MY_DEVICE_ROOM=1", "PENSTOCK_OTHER_ROOM=1",
		"PENSTOCK_MY_DEVICES=1", "LC_ALL=C", "LC_TOKEN=x", "CUDA_TOKEN=x", "PATHOLOGY=1", "GOMAXPROCS=2", "odd"})
	want := []string{"PATH=/bin", "PENSTOCK_MY_DEVICE_ROOM=1", "LC_ALL=C", "GOMAXPROCS=2"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("environment %v, want %v", got, want)
	}
}

// A plugin may write a lot at once, and then has to wait for as long as that is ahead of its rate.
func TestTail_SlowsAFlood(t *testing.T) {
	log := &tail{}
	now := time.Now()
	if wait := log.pause(burst, now); wait != 0 {
		t.Errorf("what may come at once waits for %v", wait)
	}
	if wait := log.pause(rate/4, now); wait != 250*time.Millisecond {
		t.Errorf("a quarter of a second's more waits for %v", wait)
	}
	if wait := log.pause(0, now.Add(250*time.Millisecond)); wait != 0 {
		t.Errorf("then it waits for %v more", wait)
	}
	if wait := log.pause(burst, now.Add(time.Hour)); wait != 0 {
		t.Errorf("after a rest, what may come at once waits for %v", wait)
	}
	done := make(chan struct{})
	close(done)
	flood := &tail{done: done}
	for range 100 { // would take minutes
		flood.Write(make([]byte, burst))
	}
}

// A process that has left its plugin's group and session, and whose parent is gone, ends with the plugin all the same,
// also where the plugin runs without walls, and where it ends by itself; with a namespace, and without.
func TestPlugin_LeavesNoChild(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it takes Linux")
	}
	for _, end := range []string{"kill", "close", "host killed"} {
		t.Run(end, func(t *testing.T) {
			processtest.Traceless(t)
			file := filepath.Join(t.TempDir(), "pid")
			t.Setenv(behavior, "detach to "+file)
			if end == "host killed" {
				t.Setenv(unconfined, "1")
				host, pid, together := startHost(t)
				detached(t, file)
				host.Process.Kill()
				host.Wait()
				if !together {
					t.Skip("there are no namespaces here")
				}
				processtest.Soon(t, "the plugin outlived its host", func() bool { return processtest.Gone(pid) })
			} else {
				spec, err := Self()
				if err != nil {
					t.Fatal(err)
				}
				spec.Unconfined = "it is tested"
				p, err := Start(context.Background(), spec, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if left := detached(t, file); processtest.Gone(left) {
					t.Fatalf("%d has ended before", left)
				}
				map[string]func(){"kill": p.Kill, "close": p.Close}[end]()
			}
			left := detached(t, file)
			processtest.Soon(t, "a detached child is left", func() bool { return processtest.Gone(left) })
		})
	}
}

// detached is the process that has left a plugin.
func detached(t *testing.T, file string) (pid int) {
	t.Helper()
	processtest.Soon(t, "nothing has detached itself", func() bool {
		text, _ := os.ReadFile(file)
		_, err := fmt.Sscanf(string(text), "%d\n", &pid)
		return err == nil
	})
	return pid
}

// Where there is no namespace, what a plugin leaves is found by its environment.
func TestSweep(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it takes Linux")
	}
	known, err := newIdentity()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "100")
	child.Env = []string{known.entry()}
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	other := exec.Command("sleep", "100")
	other.Env = []string{known.entry() + "x"}
	for _, cmd := range []*exec.Cmd{child, other} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	go child.Wait()
	confine.Sweep(known.entry())
	processtest.Soon(t, "what was to be swept is left", func() bool { return processtest.Gone(child.Process.Pid) })
	if processtest.Gone(other.Process.Pid) {
		t.Error("another has been swept")
	}
	other.Process.Kill()
	other.Wait()
}

// What is refused to a plugin it tells in its own words, if at all: the error says whose answer that may be.
func TestDeath_NamesWalls(t *testing.T) {
	p := mustStart(t, Options{})
	defer p.Kill()
	for said, says := range map[string]string{
		"open /etc/passwd: permission denied":       "answer of files:",
		"dial tcp: socket: Operation not permitted": "answer of system calls, network",
	} {
		err := p.WithWalls(errors.New("it fails"), said)
		if p.process.building == nil {
			t.Skip("no walls here")
		}
		if !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "--no-confinement") {
			t.Errorf("%s: %v", said, err)
		}
	}
	plain := errors.New("it fails")
	if err := p.WithWalls(plain, "no such file or directory"); err.Error() != plain.Error() {
		t.Errorf("error %v", err)
	}
}

func TestTail_KeepsTheEndAndFindsThePanic(t *testing.T) {
	var all strings.Builder
	log := &tail{log: &all}
	for i := range 10000 {
		log.Write([]byte("line " + strconv.Itoa(i) + "\n"))
	}
	if len(log.bytes) > tailBytes {
		t.Errorf("%d bytes kept", len(log.bytes))
	}
	if got := log.essence(); strings.Count(got, "\n") != essenceLines-1 || !strings.HasSuffix(got, "line 9999") {
		t.Errorf("essence %q", got)
	}
	log.Write([]byte("on my way: panic: here\n\ngoroutine 7 [running]:\n" + strings.Repeat("x\n", 50)))
	if got := log.essence(); !strings.HasPrefix(got, "on my way: panic: here\n") {
		t.Errorf("essence %q", got)
	}
	log.Write([]byte("panic: at sea\x1b[2J\n\ngoroutine 7 [running]:\n" + strings.Repeat("x\n", 50)))
	if got := log.essence(); strings.Contains(got, "\x1b") {
		t.Errorf("essence %q", got)
	}
	if got := log.essence(); !strings.HasPrefix(got, "panic: at sea") || strings.Count(got, "\n") != essenceLines-1 {
		t.Errorf("essence %q", got)
	}
	if !strings.HasPrefix(all.String(), "line 0\n") {
		t.Error("the log did not get everything")
	}
}
