package ort_test

import (
	"context"
	"os"
	"regexp"
	"runtime"
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

// A run holds the tensors that are still to be read and no others, and nothing afterwards: what a model
// takes can be told from its shapes.
func TestRun_HoldsWhatIsStillToBeRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOTICE: peaks of memory are read from Linux's /proc")
	}
	const n, steps = 1024, 12
	tensor := uint64(n * n * 8)
	x := must1(ort.Allocate(tensor))(t)
	y := must1(ort.Allocate(tensor))(t)
	defer x.Close()
	defer y.Close()
	touch(x.Bytes())
	touch(y.Bytes())
	b := bound(t, orttest.Runtime(t), sines(n, steps), ort.Options{})
	must(t, b.BindInput("x", onnx.Float64, []int64{n, n}, x.Bytes()))
	must(t, b.BindOutput("y", onnx.Float64, []int64{n, n}, y.Bytes()))
	before := resetPeak(t)
	must(t, b.Run(context.Background()))
	const slack = 4 << 20 // what the rest of the process takes meanwhile
	if peak := status(t, "VmHWM"); peak > before+2*tensor+slack {
		t.Errorf("a chain of %d operators held %d bytes at a time: more than two tensors of %d", steps, peak-before, tensor)
	}
	if after := status(t, "VmRSS"); after > before+slack {
		t.Errorf("%d bytes were kept after the run", after-before)
	}
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

func touch(bytes []byte) {
	for i := 0; i < len(bytes); i += 4096 {
		bytes[i] = 0
	}
}

// resetPeak makes the peak that of now, and returns it.
func resetPeak(t *testing.T) uint64 {
	runtime.GC()
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

func must1[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T { must(t, err); return v }
}
