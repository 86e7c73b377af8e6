package softcuda_test

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

func TestMain(m *testing.M) { softcuda.Main(m, "testdata/kernels.cu") }

// lowered is what the kernels of testdata want to call.
const lowered = `
.func penstock_init(.param .b64 program, .param .b64 v) { ret; }
.func (.param .b64 r) penstock_process(.param .b64 a, .param .b64 b, .param .b64 c,
	.param .b64 d, .param .b64 e) { ret; }
`

// A kernel that goes wrong in a Go process is an error, after which the process goes on, with a context made anew; and
// Go's own faults are still Go's.
func TestSignals(t *testing.T) {
	softcuda.Faults(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 3 {
		if err := wild(t); !errors.Is(err, driver.Sticky) {
			t.Errorf("a kernel that touches what is not its own: %v", err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Go does not panic any more")
		}
	}()
	var none *int
	t.Log(*none)
}

// wild runs a kernel that writes 8 MiB behind the address it is given: in the middle of memory nobody may touch. What
// lies 8 MiB behind an allocation may be anything, even memory of this process.
func wild(t *testing.T) error {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := driver.Open(0)
	must(err)
	defer c.Close()
	must(c.Use())
	text, err := os.ReadFile("testdata/kernels.ptx")
	must(err)
	module, err := driver.Load(string(text) + lowered)
	must(err)
	kernel, err := module.Function("test_wild")
	must(err)
	s, err := c.NewStream()
	must(err)
	nothing, err := syscall.Mmap(-1, 0, 16<<20, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	must(err)
	defer func() { must(syscall.Munmap(nothing)) }()
	at := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(nothing))))
	must(kernel.Launch(s, 1, 32, 0, at))
	return s.Synchronize()
}
