package confine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// grow takes as many MiB as it is told in a line, each page of them, and says so; again and again, to the end. Told a
// number below 0 it looks at so many GiB of which it has nothing.
func grow() {
	fmt.Println("ready")
	var kept [][]byte
	for in := bufio.NewReader(os.Stdin); ; {
		var mebibytes int
		if _, err := fmt.Fscanln(in, &mebibytes); err != nil {
			return
		}
		for range -mebibytes {
			peer()
		}
		for range max(mebibytes, 0) {
			bytes, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
			if err != nil {
				panic(err)
			}
			for i := 0; i < len(bytes); i += 4096 {
				bytes[i] = 1
			}
			kept = append(kept, bytes)
		}
		fmt.Println(len(kept))
	}
}

// peer looks at a page of every table of 1 GiB of nothing.
func peer() {
	nothing, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err == nil {
		err = unix.Madvise(nothing, unix.MADV_NOHUGEPAGE)
	}
	if err != nil {
		panic(err)
	}
	for i := 0; i < len(nothing); i += 2 << 20 {
		found += nothing[i]
	}
}

var found byte

// growing is a process that grows, and what it says.
type growing struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	done chan struct{}
}

func startGrowing(t *testing.T) *growing {
	t.Helper()
	g := &growing{cmd: exec.Command(os.Args[0]), done: make(chan struct{})}
	g.cmd.Env = append(os.Environ(), attemptVariable+"=grow")
	g.cmd.Stderr = os.Stderr
	var err error
	if g.in, err = g.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := g.cmd.StdoutPipe()
	if err == nil {
		err = g.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	g.out = bufio.NewReader(out)
	t.Cleanup(func() {
		g.in.Close()
		g.cmd.Wait()
		close(g.done)
	})
	if said, err := g.out.ReadString('\n'); err != nil || said != "ready\n" {
		t.Fatalf("it says %q, %v", said, err)
	}
	return g
}

// take has it take more, and tells whether it has.
func (g *growing) take(mebibytes int) bool {
	fmt.Fprintln(g.in, mebibytes)
	_, err := g.out.ReadString('\n')
	return err == nil
}

// What takes more than its budget and what a program may is killed, and what was measured is told. What keeps to it is
// not.
func TestWatch_KillsWhatTakesTooMuch(t *testing.T) {
	g := startGrowing(t)
	// without a group, which may be first
	w := NewWatch(Watched{PID: g.cmd.Process.Pid, Free: true}, func() { g.cmd.Process.Kill() })
	w.of.Free = false
	go w.Run(g.done)
	const budget = 16 << 20
	w.Give(budget, false)
	if limit := w.Limit(); limit.Budget != budget || limit.Beside <= later || limit.Beside > mostWhenOpened {
		t.Fatalf("its limit is %+v", limit)
	}
	if !g.take(budget >> 20) {
		t.Fatalf("it was killed within its budget: %v", w.Over())
	}
	if use := w.Seen(); use.Own < budget || use.Own > w.Limit().Bytes() || use.Most < use.Own || w.Over() != nil {
		t.Errorf("of a limit of %+v it has %+v, %v", w.Limit(), use, w.Over())
	}
	for range 4 << 10 / 64 {
		if !g.take(64) {
			break
		}
	}
	var over *MemoryError
	if !errors.As(w.Over(), &over) || over.Own <= over.Limit.Bytes() || over.Limit.Budget != budget {
		t.Fatalf("error %v", w.Over())
	}
	if w.Seen().Own < over.Own {
		t.Errorf("the most that was seen is %d, after %d", w.Seen().Own, over.Own)
	}
	for _, says := range []string{"budget of 16 MiB", "--device-memory"} {
		if !strings.Contains(over.Error(), says) {
			t.Errorf("%q does not say %q", over.Error(), says)
		}
	}
}

// The kernel's tables of where nothing is are memory as well, without end. Those of files that it was handed are not
// its own, whether these are in memory or no more.
func TestWatch_CountsEmptyTables(t *testing.T) {
	g := startGrowing(t)
	w := NewWatch(Watched{PID: g.cmd.Process.Pid, Free: true}, func() { g.cmd.Process.Kill() })
	w.of.Free = false
	go w.Run(g.done)
	w.Give(1<<20, false)
	if instrumented > 1 {
		t.Skip("it may have ten times as much, and the kernel would need that")
	}
	const several = 128 // have more tables than it may have of its own
	w.Hand(several << 30)
	if !g.take(-several) || w.Over() != nil {
		t.Fatalf("it was killed for what it was handed: %v", w.Over())
	}
	if !g.take(-several) {
		t.Skip("the kernel has no room for tables")
	}
	var over *MemoryError
	for end := time.Now().Add(10 * time.Second); g.take(0) && time.Now().Before(end); {
		time.Sleep(shortestRest)
	}
	if !errors.As(w.Over(), &over) || over.Own <= over.Limit.Bytes() || over.Group {
		t.Errorf("error %v", w.Over())
	}
}

// Without the watch, the control group holds it all the same: also what the watch does not count.
func TestWatch_GroupHolds(t *testing.T) {
	g := startGrowing(t)
	w := NewWatch(Watched{PID: g.cmd.Process.Pid}, nil)
	t.Cleanup(w.End)
	states := w.Tell([]State{{Wall: Files, Stands: true}, {Wall: Memory, Stands: true, How: "a watch"}})
	if w.hold.group == nil {
		t.Skip(states)
	}
	if states[0].How != "" || !strings.HasPrefix(states[1].How, "a control group (v") {
		t.Errorf("%+v", states)
	}
	const budget, handed = 16 << 20, 32 << 20
	w.Give(budget, false)
	w.Hand(handed)
	if !g.take(instrumented * (budget + later) >> 20) {
		t.Fatal("it was killed within its limit")
	}
	for range 16 {
		if !g.take(64) {
			break
		}
	}
	w.End()
	var over *MemoryError
	if !errors.As(w.Over(), &over) || !over.Group || over.Handed != handed || over.Own <= over.Limit.Bytes() ||
		over.Own > over.Limit.Bytes()+handed+1<<20 {
		t.Fatalf("error %v: of %+v", w.Over(), *over)
	}
	if says := over.Error(); !strings.Contains(says, "more than the budget of 16 MiB") || !strings.Contains(says, "control group") {
		t.Error(says)
	}
}

// Children that a process has made before are in its group as well, and theirs.
func TestWatch_GroupHasTheFamily(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sh -c 'echo ready; sleep 100; true'; true")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		t.Fatal(err)
	}
	w := NewWatch(Watched{PID: cmd.Process.Pid, Family: true}, nil)
	w.Tell(nil)
	all := family(cmd.Process.Pid)
	groups := map[string]bool{}
	for _, pid := range all {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
		groups[string(text)] = true
	}
	w.End() // ends them
	cmd.Wait()
	if w.hold.group == nil {
		cmd.Process.Kill()
		t.Skip(w.hold.how)
	}
	if len(all) < 2 || len(groups) != 1 {
		t.Errorf("%v are in %v", all, groups)
	}
}

// The memory of a card is not that of the machine: drivers pin what they like, and only the watch counts.
func TestWatch_GroupOfCardIsOpen(t *testing.T) {
	g := startGrowing(t)
	w := NewWatch(Watched{PID: g.cmd.Process.Pid}, nil)
	t.Cleanup(w.End)
	w.Tell(nil)
	limit := func() string {
		groups, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", g.cmd.Process.Pid))
		_, group, _ := strings.Cut(string(groups), ":memory:")
		group, _, _ = strings.Cut(group, "\n")
		text, err := os.ReadFile("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes")
		if w.hold.group == nil || err != nil {
			t.Skip("no control group of version 1: ", err)
		}
		return string(text)
	}
	any := limit()
	w.Give(1<<20, true)
	w.Hand(1 << 20)
	if got := limit(); got != any {
		t.Errorf("it has become %s", got)
	}
	w.card = false
	w.Hand(1 << 21)
	if limit() == any {
		t.Error("nor has one that is of the machine's memory a limit")
	}
}

// Without walls it is looked at, and nothing else.
func TestWatch_LooksAtWhatIsFree(t *testing.T) {
	g := startGrowing(t)
	w := NewWatch(Watched{PID: g.cmd.Process.Pid, Free: true}, func() { t.Error("it is killed") })
	w.Give(1, false)
	go w.Run(g.done)
	if !g.take(instrumented * (later >> 20) / 2) {
		t.Error("it has ended")
	}
	if use := w.Seen(); use.Own < instrumented*later/2 || w.Limit() != (Limit{}) {
		t.Errorf("%+v of %+v", use, w.Limit())
	}
}

// The nearer a process is to its limit, the sooner it is looked at again. A budget that it had before counts on.
func TestWatch_RestsAsLongAsThereIsRoom(t *testing.T) {
	w := NewWatch(Watched{PID: os.Getpid(), Free: true}, nil) // no group for this process
	w.of.Free = false
	w.Give(1<<40, false)
	w.Give(1<<30, false)
	limit := w.Limit()
	if limit.Budget != 1<<40 {
		t.Errorf("its budget has become %d", limit.Budget)
	}
	before := longestRest + 1
	for _, c := range []struct {
		room uint64
		rest time.Duration
	}{{8 << 30, longestRest}, {fastestFill / 50, 20 * time.Millisecond}, {fastestFill / 200, 5 * time.Millisecond},
		{1, shortestRest}, {0, shortestRest}} {
		rest, over := w.judge(Use{Own: limit.Bytes() - c.room})
		if over || rest > c.rest || rest < c.rest*9/10 || rest > before {
			t.Errorf("with room for %d bytes it rests for %v, %v; expected %v", c.room, rest, over, c.rest)
		}
		before = rest
	}
	if _, over := w.judge(Use{Own: limit.Bytes() + 1}); !over {
		t.Error("a byte more than its limit is not too much")
	}
	var tasks *TasksError
	if _, over := w.judge(Use{Tasks: mostTasks()}); over {
		t.Error("as many threads as it may have are too many")
	}
	if _, over := w.judge(Use{Tasks: mostTasks() + 1}); !over || !errors.As(w.Over(), &tasks) || tasks.Had <= tasks.Most {
		t.Errorf("a thread more than it may have: %v", w.Over())
	}
}

// spinFor keeps a processor busy for so long.
func spinFor(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// Who has taken more time of processors than it may is killed, also without walls; time that it took before does not
// count, and what it takes after is looked at in time.
func TestWatch_HoldsCPUTime(t *testing.T) {
	g := startGrowing(t)
	killed := false
	w := NewWatch(Watched{PID: g.cmd.Process.Pid, Free: true}, func() { killed = true })
	own := Watch{of: Watched{PID: os.Getpid(), Free: true}}
	before := own.Seen().CPU
	for own.Seen().CPU == before { // by the kernel's clock
		spinFor(tick)
	}
	w.GiveTime(time.Minute)
	w.turn.began = 10 * time.Minute
	used := func(cpu time.Duration) (time.Duration, bool) { return w.judge(Use{Tasks: 1, CPU: cpu}) }
	if rest, over := used(10 * time.Minute); over || rest != longestRest || w.Over() != nil {
		t.Errorf("what it took before counts: %v, %v", rest, w.Over())
	}
	left := 20 * time.Millisecond
	if rest, over := used(11*time.Minute - left*time.Duration(runtime.NumCPU())); over || rest != left {
		t.Errorf("near the limit it rests for %v, %v", rest, over)
	}
	if _, over := used(11 * time.Minute); over {
		t.Error("what it may take is too much")
	}
	var e *CPUTimeError
	if _, over := used(11*time.Minute + tick); !over || !errors.As(w.Over(), &e) || e.Limit != time.Minute ||
		e.Took != time.Minute+tick {
		t.Errorf("%v", w.Over())
	}
	w.over = nil
	w.GiveTime(0)
	if _, over := used(time.Hour); over || killed {
		t.Error("there is a limit without one")
	}
}

// What children take counts as well, and what theirs take.
func TestWatch_CountsFamilies(t *testing.T) {
	alone := Watch{of: Watched{PID: os.Getpid()}}
	family := Watch{of: Watched{PID: os.Getpid(), Family: true}}
	g := startGrowing(t)
	g.take(128)
	own, all := alone.Seen(), family.Seen()
	theirs, err := UseOf(g.cmd.Process.Pid)
	if err != nil || theirs.Own < 128<<20 || all.Own < own.Own/2+theirs.Own || all.Tasks <= theirs.Tasks ||
		own.Tasks == 0 {
		t.Errorf("%+v alone, %+v with one that has %+v, %v", own, all, theirs, err)
	}
}

// What a program has when it is opened counts as its own up to a bound; a card's driver takes more.
func TestBeside(t *testing.T) {
	least := beside(0, false)
	if least < later || beside(1<<20, false) != least+1<<20 || beside(1<<40, false) != least+mostWhenOpened ||
		beside(0, true) != driver {
		t.Errorf("%d, %d, %d, %d", least, beside(1<<20, false), beside(1<<40, false), beside(0, true))
	}
}

func TestUseOf_NoProcess(t *testing.T) {
	if use, err := UseOf(1 << 30); !errors.Is(err, os.ErrNotExist) || use != (Use{}) {
		t.Errorf("%+v, %v", use, err)
	}
	g := startGrowing(t)
	g.cmd.Process.Kill()
	g.cmd.Process.Wait()
	if use, err := UseOf(g.cmd.Process.Pid); err == nil {
		t.Errorf("of one that has ended: %+v", use)
	}
}
