package softcuda

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Variable tells the driver package, and this process's children, which libcuda to load.
const Variable = "PENSTOCK_LIBCUDA"

// HardwareVariable, where it is set, has tests run on the machine's own driver and card, as bench/gpu.sh does. What
// needs more cards, less memory or faults is then skipped (Faults).
const HardwareVariable = "PENSTOCK_CUDA_HARDWARE"

func hardware() bool { return os.Getenv(HardwareVariable) != "" }

// Faults skips a test that tells the library by a variable what it is to do, where there is a card instead.
func Faults(t testing.TB) {
	t.Helper()
	if hardware() {
		t.Skip("needs the software driver: run it without PENSTOCK_CUDA_HARDWARE")
	}
}

// Main is the TestMain of a package whose tests run on the library, built with extra sources of its own:
//
//	func TestMain(m *testing.M) { softcuda.Main(m) }
//
// Without g++ nothing is tested, which fails where CI is set and is said elsewhere.
func Main(m *testing.M, extra ...string) {
	if hardware() {
		m.Run()
		return
	}
	if missing() {
		notTested()
		return
	}
	path, err := Build(extra...)
	if err == nil {
		err = os.Setenv(Variable, path)
	}
	if err != nil {
		exit(err)
	}
	m.Run()
}

// Library builds the library, for a test that has others load it.
func Library(t testing.TB, extra ...string) string {
	t.Helper()
	if missing() {
		absent(t)
	}
	path, err := Build(extra...)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

const advice = "there is no g++, which builds a stand-in for a card's driver: install it"

func missing() bool {
	_, err := exec.LookPath(compiler)
	return err != nil
}

func absent(t testing.TB) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(advice)
	}
	t.Skip("NOTICE: not tested, for " + advice)
}

func notTested() {
	if os.Getenv("CI") != "" {
		exit(fmt.Errorf("softcuda: %s", advice))
	}
	fmt.Fprintln(os.Stderr, "NOTICE: not tested, for "+advice)
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1) //nolint:forbidigo // in a test process this is main
}
