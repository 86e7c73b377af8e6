package ort_test

import (
	"context"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

func TestMemory(t *testing.T) {
	for _, size := range []uint64{0, 1, 4097} {
		m, err := ort.Allocate(size)
		must(t, err)
		if uint64(len(m.Bytes())) != size {
			t.Errorf("%d bytes, want %d", len(m.Bytes()), size)
		}
		for i := range m.Bytes() {
			m.Bytes()[i]++
		}
		must(t, m.Close())
		must(t, m.Close())
	}
	for _, size := range []uint64{1 << 46, 1 << 50, 1<<64 - 1} {
		if m, err := ort.Allocate(size); err == nil {
			m.Close()
			t.Errorf("%d bytes were given", size)
		}
	}
}

// A session holds the tensors that are still to be read and no others, in the first run as in the last, and
// nothing once it is closed: what a model takes can be told from its shapes.
func TestRun_HoldsWhatIsStillToBeRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOTICE: peaks of memory are read from Linux's /proc")
	}
	const n, steps = 1536, 5
	tensor := uint64(n * n * 8)
	x, y := resident(t, tensor), resident(t, tensor)
	r := orttest.Runtime(t)
	must(t, r.Try(t.Context(), ort.Options{})) // what the library makes once
	session, err := r.NewSession(sines(n, steps).Model(), ort.Options{})
	must(t, err)
	b, err := session.Bind()
	must(t, err)
	must(t, b.BindInput("x", onnx.Float64, []int64{n, n}, x))
	must(t, b.BindOutput("y", onnx.Float64, []int64{n, n}, y))
	before := resetPeak(t)
	for range 2 {
		must(t, b.Run(context.Background()))
	}
	slack := tensor * 4 / 5 // what the rest of the process takes meanwhile
	if peak := status(t, "VmHWM"); peak > before+2*tensor+slack {
		t.Errorf("a chain of %d operators held %d bytes: more than two tensors of %d", steps, peak-before, tensor)
	}
	b.Close()
	session.Close()
	if after := status(t, "VmRSS"); after > before+slack {
		t.Errorf("%d bytes were kept after Close", after-before)
	}
}

// resident is memory that the system has given already.
func resident(t *testing.T, size uint64) []byte {
	m, err := ort.Allocate(size)
	must(t, err)
	t.Cleanup(func() { m.Close() })
	for i := 0; i < len(m.Bytes()); i += 4096 {
		m.Bytes()[i] = 0
	}
	return m.Bytes()
}

// The C library keeps small pieces that were freed for itself, unless it is told not to.
func TestSession_CloseGivesMemoryBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOTICE: memory is read from Linux's /proc")
	}
	r := orttest.Runtime(t)
	must(t, r.Try(t.Context(), ort.Options{}))
	model := constant(1 << 20).Model()
	before := resetPeak(t)
	var sessions []*ort.Session
	for range 48 {
		session, err := r.NewSession(model, ort.Options{})
		must(t, err)
		sessions = append(sessions, session)
	}
	for _, session := range sessions {
		session.Close()
	}
	debug.FreeOSMemory()
	const slack = 16 << 20
	if after := status(t, "VmRSS"); after > before+slack {
		t.Errorf("%d bytes were kept after Close", after-before)
	}
}

// constant is a model that holds so many bytes.
func constant(size int) *onnx.Graph {
	bytes := make([]uint8, size)
	for i := range bytes {
		bytes[i] = uint8(i)
	}
	g := &onnx.Graph{Name: "constant"}
	g.As("y", "Add", []string{g.Input("x", onnx.Uint8, int64(size)), g.Initializer(onnx.Vector("", bytes...))})
	g.Output("y", onnx.Uint8, int64(size))
	return g
}

// sines is a chain of operators, which the library could neither fuse nor do in place.
func sines(n int64, steps int) *onnx.Graph {
	g := &onnx.Graph{Name: "sines"}
	x := g.Input("x", onnx.Float64, n, n)
	for range steps - 1 {
		x = g.Node("Transpose", []string{g.Node("Sin", []string{x})}, onnx.Ints("perm", 1, 0))
	}
	g.As("y", "Sin", []string{x})
	g.Output("y", onnx.Float64, n, n)
	return g
}

// resetPeak makes the peak that of now, and returns it.
func resetPeak(t *testing.T) uint64 {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Skip("NOTICE: this system does not let a process's peak of memory be set back: ", err)
	}
	return status(t, "VmRSS")
}

// status is a line of /proc/self/status, in bytes.
func status(t *testing.T, name string) uint64 {
	text, err := os.ReadFile("/proc/self/status")
	must(t, err)
	found := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in /proc/self/status", name)
	}
	kilobytes, err := strconv.ParseUint(string(found[1]), 10, 64)
	must(t, err)
	return kilobytes << 10
}
