package cuda_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// Whichever allocation fails, the run ends with an error that says so, and the next one in the
// same process succeeds.
func TestFault_OutOfMemory(t *testing.T) {
	softcuda.Faults(t)
	refused := 0
	for n := 1; n <= 16; n++ {
		device := launch(t, fmt.Sprintf("SOFTCUDA_FAULT=oom@%d", n))
		r := newRun(t, 64)
		r.task.ActiveRows = n%2 == 0 // and the card takes rows out of chunks
		err := r.on(t.Context(), device)
		if kind := plugins.KindOf(err); err != nil && kind != plugins.KindBudget && kind != plugins.KindLaunch {
			t.Errorf("allocation %d fails: %v; expected %q", n, err, plugins.KindBudget)
		} else if err != nil {
			refused++
		}
		if err := r.on(t.Context(), device); err != nil {
			t.Errorf("after allocation %d has failed: %v", n, err)
		}
	}
	if refused == 0 {
		t.Error("no allocation failed")
	}
}

// An error that loses the card's context is told as such; from then on the process computes nothing.
func TestFault_CardIsLost(t *testing.T) {
	softcuda.Faults(t)
	for _, n := range []int{8, 12, 20} {
		device := launch(t, fmt.Sprintf("SOFTCUDA_FAULT=sticky@%d", n))
		r := newRun(t, 64)
		err := r.on(t.Context(), device)
		if err == nil || plugins.KindOf(err) != plugins.KindInternal || !strings.Contains(err.Error(), "the card was lost") {
			t.Errorf("launch %d fails: %v; expected that the card was lost", n, err)
		}
		if _, err := device.Describe(t.Context()); err == nil || !strings.Contains(err.Error(), "the card was lost") {
			t.Errorf("after launch %d has failed it describes itself: %v", n, err)
		}
		if err := r.on(t.Context(), device); err == nil {
			t.Errorf("after launch %d has failed it computes", n)
		}
	}
}

// A kernel that hangs keeps neither Execute nor Close from ending, once the run is canceled.
func TestFault_KernelHangs(t *testing.T) {
	softcuda.Faults(t)
	device := launch(t, "SOFTCUDA_FAULT=hang@12")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- newRun(t, 64).on(ctx, device) }()
	select {
	case err := <-done:
		if err == nil {
			t.Error("it succeeded")
		}
	case <-time.After(time.Minute):
		t.Fatal("it has not ended a minute after it was canceled")
	}
}

// Where the system does not let the arena be pinned, chunks go by the ring.
func TestFault_NothingCanBePinned(t *testing.T) {
	softcuda.Faults(t)
	if err := newRun(t, 128).on(t.Context(), launch(t, "SOFTCUDA_FAULT=register")); err != nil {
		t.Error(err)
	}
}

// Where it does, and rows are asked for, only these are copied; where it does not, whole chunks.
func TestFault_RowsAreNotSelected(t *testing.T) {
	softcuda.Faults(t)
	copied := map[string]uint64{}
	for _, fault := range []string{"", "register", "managed"} {
		device := launch(t, "SOFTCUDA_FAULT="+strings.TrimSuffix(fault, "managed"), "PENSTOCK_CUDA_MEMORY="+
			strings.TrimPrefix(fault, "register"))
		r := newRun(t, 256)
		r.task.ActiveRows = true
		if err := r.on(t.Context(), device); err != nil {
			t.Fatal(err)
		}
		copied[fault] = r.copied
	}
	if 10*copied[""] > 9*copied["register"] || copied["managed"] != copied["register"] {
		t.Errorf("%d bytes, and %d where nothing can be pinned, %d in unified memory", copied[""], copied["register"],
			copied["managed"])
	}
}

// Two processes on one card share its memory: both compute, if there is room for both.
func TestFault_TwoProcesses(t *testing.T) {
	softcuda.Faults(t)
	shared := "SOFTCUDA_SHARED=" + filepath.Join(t.TempDir(), "card")
	first, second := launch(t, shared), launch(t, shared)
	for range 2 {
		errs := make(chan error, 2)
		for _, device := range []plugins.Device{first, second} {
			r := newRun(t, 64)
			go func() { errs <- r.on(t.Context(), device) }()
		}
		for range 2 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	}
}
