package faulty_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/faulty"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// faultsVariable has the faults of this test program as a plugin.
var faultsVariable = launch.OwnVariable(filepath.Base(os.Args[0]), "FAULTS")

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")) // else every plugin ends a second late
	if handshake.Launched() {
		device, err := faulty.New(cpu.New(cpu.Options{}), os.Getenv(faultsVariable))
		if err != nil {
			panic(err)
		}
		plugins.Serve(device)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// end is how a run with a fault ends.
type end struct {
	fails bool           // always
	kinds []plugins.Kind // of the error; none: any
	says  string         // in the error or, where the run does not fail, in the log
	same  bool           // the result is what it is without the fault
}

var (
	dies   = end{fails: true, kinds: []plugins.Kind{plugins.KindDied}, says: "exit status 3"}
	hangs  = end{fails: true, kinds: []plugins.Kind{plugins.KindHung}, says: "no answer"}
	swells = end{fails: true, kinds: []plugins.Kind{plugins.KindDied}, says: "more than the budget of 16 MiB"}
	spins  = end{fails: true, kinds: []plugins.Kind{plugins.KindDied},
		says: "more than the 1s that --device-cpu-time gives it"}
	anyway  = end{}
	states  = end{fails: true, kinds: []plugins.Kind{plugins.KindInternal}, says: "breaks the contract"}
	boasts  = end{fails: true, kinds: states.kinds, says: "a plan that needs 18446744073709551615 bytes beside the chunks"}
	refused = end{same: true, says: "operation not permitted"}
	denied  = end{same: true, says: "permission denied"}
	floods  = end{same: true, says: "flood flood"}
)

// moments are when a fault happens: when the session is opened, while chunks are streamed, at the last command, after
// which the host takes the result, and when it has that and closes the session. That is the third: two were there to
// plan.
var moments = []string{"open", "step 2", "apply 3", "close 3"}

// matrix is how a run ends with each fault, at each moment.
var matrix = map[string]end{
	"die": dies, "hang": hangs, "swell": swells, "spin": spins, "scribble": anyway, "misstate": states,
	"flood": floods, "fork": refused, "flush": refused,
	"dial": refused, "pry": denied, "trace": refused, "remap": denied,
}

// cells are the faults of the matrix, each at each moment.
func cells() (all []string) {
	for _, fault := range []string{"die", "hang", "swell", "spin", "scribble", "misstate", "flood", "fork", "dial", "pry",
		"trace", "remap", "flush"} {
		for _, moment := range moments {
			if fault == "misstate" && (moment == "open" || moment == "close 3") {
				continue // such an answer has no counts; the first that has is that of compile
			}
			all = append(all, fault+" at "+moment)
		}
	}
	return append(all, "hang at close", "misstate at every compile", "lie at describe", "lie at every describe")
}

// expected is how a run ends. When the host has the result, nothing changes it.
func expected(script string) end {
	fault, moment, _ := strings.Cut(script, " at ")
	switch moment {
	case "every compile":
		return boasts
	case "close":
		return end{fails: true, kinds: []plugins.Kind{plugins.KindHung, plugins.KindDied}}
	case "close 3":
		e := end{same: true}
		if matrix[fault].same {
			e.says = fault + ": " // its last words are read
		}
		return e
	}
	return matrix[fault]
}

// harness is a database that a device with faults is let loose on.
type harness struct {
	db   *penstock.DB
	self string
	good []float64 // the result without faults
	room uint64    // of device memory, for a path
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	db, err := penstock.Open(filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	file := filepath.Join(t.TempDir(), "edges.txt")
	var text strings.Builder
	for v := range 20000 {
		fmt.Fprintf(&text, "%d %d\n", v%1000, (v*v+7*v)%997)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	directed := penstock.LoadOptions{Orientation: formats.Directed}
	if _, err := db.Load(t.Context(), "g", []string{file}, directed); err != nil {
		t.Fatal(err)
	}
	h := &harness{db: db}
	if h.self, err = filepath.Abs(os.Args[0]); err != nil {
		t.Fatal(err)
	}
	ranks, _, err := h.run(t, "", "")
	if err != nil {
		t.Fatal(err)
	}
	h.good = ranks
	h.query(t)
	return h
}

// log is written to by a run's goroutines.
type log struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.String()
}

// run ranks the vertices on a device with faults, and returns the ranks and what the device wrote.
func (h *harness) run(t *testing.T, faults, unconfined string) ([]float64, string, error) {
	t.Helper()
	t.Setenv(faultsVariable, faults)
	told := &log{}
	req := penstock.Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "3", "tolerance": "0"},
		Device: h.self, DeviceMemory: 16 << 20, Schedule: "whole", Timeout: time.Minute, Log: told}
	if strings.HasPrefix(faults, "hang") {
		req.Timeout = 2 * time.Second // it also has to start within that
	}
	if strings.HasPrefix(faults, "spin") {
		req.DeviceCPUTime = time.Second
	}
	if unconfined != "" {
		req.Unconfined = []string{unconfined}
	}
	result, err := h.db.Run(t.Context(), "g", req)
	if err != nil {
		return nil, told.String(), err
	}
	defer result.Close()
	return slices.Clone(result.Columns[0].Floats), told.String(), nil
}

// query asks the database something.
func (h *harness) query(t *testing.T) {
	t.Helper()
	rows, err := h.db.Query(t.Context(), "g", "MATCH (a)-->(b) RETURN count(*)", nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer rows.Close()
	if !rows.Next() || !reflect.DeepEqual(rows.Values(), []any{int64(20000)}) {
		t.Errorf("the database answers %v, %v", rows.Values(), rows.Err())
	}
}

// during asks the database again and again until a run has ended, at least once.
func (h *harness) during(t *testing.T, faults string) (ranks []float64, told string, err error) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		ranks, told, err = h.run(t, faults, "")
	}()
	for {
		h.query(t)
		select {
		case <-done:
			return ranks, told, err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Whatever a device does, and whenever, the run ends; the database answers meanwhile and is what it was, nothing is
// left of the device, and the next run has the right result.
func TestMatrix(t *testing.T) {
	h := newHarness(t)
	for _, script := range long.Draw(t, cells(), 6) {
		t.Run(script, func(t *testing.T) {
			processtest.Traceless(t)
			began := time.Now()
			ranks, told, err := h.during(t, script)
			expected(script).check(t, h, ranks, told, err)
			if most := 2<<20 + int(time.Since(began).Seconds()*(1<<20)); len(told) > most {
				t.Errorf("its log has %d bytes, more than %d", len(told), most)
			}
			if left := children(t); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
			if err := h.db.Verify(t.Context(), "g"); err != nil {
				t.Errorf("the database: %v", err)
			}
			if again, _, err := h.run(t, "", ""); err != nil || !reflect.DeepEqual(again, h.good) {
				t.Errorf("the next run has another result, %v", err)
			}
		})
	}
}

// check tells what is wrong with how a run has ended.
func (e end) check(t *testing.T, h *harness, ranks []float64, told string, err error) {
	t.Helper()
	var over *host.MemoryError
	var spun *host.CPUTimeError
	switch {
	case e.fails && err == nil:
		t.Error("the run does not fail")
	case e.same && err != nil:
		t.Errorf("the run fails: %v", err)
	case e.same && !reflect.DeepEqual(ranks, h.good):
		t.Error("the result is another")
	case e.same && !strings.Contains(told, e.says):
		t.Errorf("its log does not say %q: %.500s", e.says, told)
	case e.fails && !strings.Contains(err.Error(), e.says):
		t.Errorf("error %v; expected %q in it", err, e.says)
	case reflect.DeepEqual(e, spins) && (!errors.As(err, &spun) || spun.Took <= spun.Limit):
		t.Errorf("error %v: no *host.CPUTimeError", err)
	case reflect.DeepEqual(e, swells) && (!errors.As(err, &over) || over.Own <= over.Limit.Bytes()):
		t.Errorf("error %v: no *host.MemoryError", err)
	}
	for _, kind := range e.kinds {
		if plugins.KindOf(err) == kind {
			return
		}
	}
	if len(e.kinds) > 0 {
		t.Errorf("error %v: of no kind of %v", err, e.kinds)
	}
}

// children are the processes that this one has started, and those whose parents are gone.
func children(t *testing.T) (all []string) {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // of a thread that has ended
		all = append(all, strings.Fields(string(text))...)
	}
	return all
}

// Without walls some of this comes to what it wants: it is the walls that keep it from that. Nothing is left all the
// same.
func TestMatrix_WithoutWalls(t *testing.T) {
	h := newHarness(t)
	for _, fault := range []string{"fork", "dial", "pry", "flush"} {
		processtest.Traceless(t)
		ranks, told, err := h.run(t, fault+" at step 2", h.self)
		if err != nil || !reflect.DeepEqual(ranks, h.good) || !strings.Contains(told, fault+": done") {
			t.Errorf("%s: %v; %s", fault, err, told)
		}
	}
	_, told, err := h.run(t, "remap at step 2", h.self)
	if err != nil || !strings.Contains(told, "remap: truncate") || !strings.Contains(told, "operation not permitted") {
		t.Errorf("the arena can shrink: %v; %s", err, told)
	}
	processtest.Soon(t, "a child is left", func() bool { return !running("sleep\x0086399\x00") })
}

// running tells whether there is a process with these arguments.
func running(arguments string) bool {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well formed
	for _, path := range all {
		if text, _ := os.ReadFile(path); string(text) == arguments {
			return true
		}
	}
	return false
}
