package driver_test

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

//go:embed testdata/store.ptx
var storePTX string

// load is the kernel store, of this card.
func load(t *testing.T) driver.Function {
	t.Helper()
	m, err := driver.Load(storePTX)
	must(t, err)
	t.Cleanup(func() { must(t, m.Unload()) })
	f, err := m.Function("store")
	must(t, err)
	return f
}

// Every thread of a launch runs, and arguments arrive whole.
func TestFunction_Launch(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	const blocks, threads, value = 3, 64, 0x0123456789abcdef
	p := alloc(t, s, 8*blocks*threads)
	found := make([]byte, 8*blocks*threads)
	f := load(t)
	must(t, errors.Join(f.Launch(s, 0, threads, 0), f.Launch(s, blocks, threads, 0, uint64(p), value), s.CopyOut(found, p),
		s.Synchronize()))
	for i := range blocks * threads {
		if got := binary.LittleEndian.Uint64(found[8*i:]); got != value {
			t.Fatalf("thread %d wrote %x", i, got)
		}
	}
}

// What is no program, and a kernel that it has not, are named.
func TestLoad_TellsWhatIsWrong(t *testing.T) {
	open(t, 0)
	_, err := driver.Load(strings.TrimRight(storePTX, "}\n"))
	var e *driver.Error
	if !errors.As(err, &e) || e.Call != "cuModuleLoadDataEx" || !strings.Contains(e.Text, ": ") {
		t.Errorf("%v; expected what the compiler says", err)
	}
	m, err := driver.Load(storePTX)
	must(t, err)
	defer m.Unload()
	if _, err := m.Function("fetch"); err == nil || !strings.Contains(err.Error(), "fetch") {
		t.Errorf("%v; expected the name of the kernel", err)
	}
}

// A kernel that fails is told by whoever waits for it, and the context is lost.
func TestError_Sticky(t *testing.T) {
	if !apart(t, "SOFTCUDA_FAULT=sticky@2") {
		return
	}
	runtime.LockOSThread()
	c, err := driver.Open(0) // nothing of it can be given back
	must(t, err)
	must(t, c.Use())
	s, err := c.NewStream()
	must(t, err)
	p, err := s.Alloc(8)
	must(t, err)
	m, err := driver.Load(storePTX)
	must(t, err)
	f, err := m.Function("store")
	must(t, errors.Join(err, f.Launch(s, 1, 1, 0, uint64(p), 1), s.Synchronize()))
	for range 2 {
		err := errors.Join(f.Launch(s, 1, 1, 0, uint64(p), 2), s.Synchronize())
		if !errors.Is(err, driver.Sticky) || errors.Is(err, driver.OutOfMemory) {
			t.Errorf("%v; expected %v", err, driver.Sticky)
		}
	}
}
