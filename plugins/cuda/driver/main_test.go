package driver_test

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" { // what it is to load it has been told
		os.Exit(m.Run())
	}
	softcuda.Main(m, "testdata/store.cu")
}

// childVariable tells a child of these tests which test it is to run.
const childVariable = "PENSTOCK_TEST_CHILD"

// apart runs the test anew in a process with these variables, for a process has one driver; there it is true.
func apart(t *testing.T, variables ...string) bool {
	t.Helper()
	if os.Getenv(childVariable) == t.Name() {
		return true
	}
	softcuda.Faults(t)
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(append(os.Environ(), childVariable+"="+t.Name()), variables...)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("with %q: %v\n%s", variables, err, out)
	}
	return false
}

// open opens a card on a thread of the test's own.
func open(t testing.TB, ordinal int) *driver.Context {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	c, err := driver.Open(ordinal)
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	must(t, c.Use())
	return c
}

// stream is a new one, until the test ends.
func stream(t testing.TB, c *driver.Context) driver.Stream {
	t.Helper()
	s, err := c.NewStream()
	must(t, err)
	t.Cleanup(func() { must(t, s.Destroy()) })
	return s
}

// alloc is memory of the card, until the test ends.
func alloc(t testing.TB, s driver.Stream, bytes uint64) driver.Pointer {
	t.Helper()
	p, err := s.Alloc(bytes)
	must(t, err)
	t.Cleanup(func() { must(t, s.Free(p)) })
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
