package mega

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// partVariable makes this test program one of several processes of a run, as its value says.
const partVariable = "PENSTOCK_TEST_MEGA_PART"

// killing is a run of several processes, which share files of a directory.
type killing struct {
	Seed    uint64
	Number  int // of this process
	Victim  int // the process that is killed when its first worker is in a clock; -1: none is
	Clock   int
	Restore bool // go on from what was kept
	Dir     string
}

// Sizes of what they share.
const (
	sharedRoom = 1 << 20
	keptRoom   = 1 << 18
)

// drawn is the run of a seed, as every process draws it.
func (p killing) drawn() (*Program[int64, int64, int64], *Graph[int64], Options) {
	r := rand.New(rand.NewPCG(p.Seed, 0))
	g, o := dividing(r)
	o.Epochs += 3
	return keeping(r.IntN(2) == 0, 2+r.IntN(8)), g, o
}

// TestMain is this program's tests, or a process of a run.
func TestMain(m *testing.M) {
	if told := os.Getenv(partVariable); told != "" {
		if err := bePart(told); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// bePart runs: it says kept when it has saved, and goes on at the next line.
func bePart(told string) error {
	var p killing
	if err := json.Unmarshal([]byte(told), &p); err != nil {
		return err
	}
	program, g, o := p.drawn()
	room, err := mapped(filepath.Join(p.Dir, "room"), sharedRoom)
	if err != nil {
		return err
	}
	kept, err := mapped(filepath.Join(p.Dir, "kept"), keptRoom)
	if err != nil {
		return err
	}
	o.Processes.Number, o.Processes.Room, o.Pause = p.Number, room, func() bool { return true }
	exchange := program.Exchange
	program.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
		if p.Number == p.Victim && w.Clock >= p.Clock {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		exchange(w, u, v, edge)
	}
	c, err := Start(program, g, o)
	if err == nil && p.Restore {
		err = c.Restore(kept[8:][:binary.LittleEndian.Uint64(kept)])
	}
	lines := bufio.NewScanner(os.Stdin)
	for done := false; err == nil && !done; {
		if done, err = c.Continue(context.Background()); err != nil || done {
			break
		}
		var n int
		if n, err = c.Save(kept[8:]); err == nil && p.Number == 0 {
			binary.LittleEndian.PutUint64(kept, uint64(n))
		}
		fmt.Println("kept")
		if !lines.Scan() {
			return io.ErrUnexpectedEOF
		}
	}
	if err == nil && p.Number == 0 {
		s := c.State()
		err = json.NewEncoder(os.Stdout).Encode([][]int64{s.Left, s.Right, s.Context})
	}
	return err
}

// mapped is a file as memory that processes share.
func mapped(path string, size int) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Truncate(int64(size)); err != nil {
		return nil, err
	}
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// spoken is a process of a run.
type spoken struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// run has processes run to the end, what is kept on the way being copied to good; or until one dies, when all are
// killed. Then there is no state.
func (p killing) run(t *testing.T, good string) (state [][]int64) {
	t.Helper()
	_, _, o := p.drawn()
	var all []spoken
	defer func() {
		for _, c := range all {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	for p.Number = range o.Processes.Of {
		all = append(all, p.start(t))
	}
	for {
		if p.Victim >= 0 && !all[p.Victim].lines.Scan() {
			if all[p.Victim].Wait(); !all[p.Victim].ProcessState.Exited() {
				return nil // killed
			}
		}
		for number, c := range all {
			if number != p.Victim {
				c.lines.Scan()
			}
		}
		if all[0].lines.Text() != "kept" {
			break
		}
		kept, err := os.ReadFile(filepath.Join(p.Dir, "kept"))
		if err == nil {
			err = os.WriteFile(good, kept, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			fmt.Fprintln(c.in)
		}
	}
	if err := json.Unmarshal(all[0].lines.Bytes(), &state); err != nil {
		t.Fatalf("%+v: %q: %v", p, all[0].lines.Text(), err)
	}
	return state
}

// start starts process Number.
func (p killing) start(t *testing.T) spoken {
	t.Helper()
	told, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	c := spoken{Cmd: exec.Command(os.Args[0])}
	c.Env, c.Stderr = append(os.Environ(), partVariable+"="+string(told)), os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		c.in, err = c.StdinPipe()
	}
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	c.lines.Buffer(nil, keptRoom)
	return c
}

// Processes that are killed, at any clock, and started again from what was kept last, come to the bits of threads that
// nobody has killed.
func TestProcesses_Killed(t *testing.T) {
	r := testseed.Rand(t)
	killed, restored := 0, 0
	for _, seed := range long.Draw(t, slices.Collect(seeds(r, 100)), 10) {
		p := killing{Seed: seed, Dir: t.TempDir(), Victim: -1}
		good := filepath.Join(t.TempDir(), "good")
		program, g, o := p.drawn()
		of := o.Processes.Of
		o.Processes = Processes{}
		want, report, err := Run(t.Context(), program, g, o)
		if err != nil {
			t.Fatal(err)
		}
		p.Victim, p.Clock = r.IntN(of), r.IntN(report.Clocks)
		got := p.run(t, good)
		if got == nil {
			killed++
			p.Victim, p.Dir = -1, t.TempDir()
			if kept, err := os.ReadFile(good); err == nil {
				p.Restore = true
				restored++
				err = os.WriteFile(filepath.Join(p.Dir, "kept"), kept, 0o600)
				if err != nil {
					t.Fatal(err)
				}
			}
			got = p.run(t, good)
		}
		if !slices.Equal(got[0], want.Left) || !slices.Equal(got[1], want.Right) || !slices.Equal(got[2], want.Context) {
			t.Fatalf("%+v: other bits than of threads", p)
		}
	}
	if t.Logf("%d killed, %d of them restored", killed, restored); killed == 0 || restored == 0 {
		t.Errorf("%d killed, %d of them restored: nothing was tried", killed, restored)
	}
}

// seeds draws some.
func seeds(r *rand.Rand, n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := 0; i < n && yield(r.Uint64()); i++ {
		}
	}
}
