package reexec_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/reexec"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// The test binary, started as a plugin, is the CPU device.
func TestInit_ServesTheDevice(t *testing.T) {
	d, err := plugintest.Launch(t, exec.Command(os.Args[0], reexec.Arg)).Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "cpu" || d.Threads < 1 || !slices.Contains(d.Procedures, "cdlp") {
		t.Errorf("the plugin describes itself as %+v", d)
	}
}

// Processes of the device learn together what one of them learns.
func TestInit_DividesWorkers(t *testing.T) {
	plugintest.RunWorkers(t, func(t *testing.T) plugins.Device {
		return plugintest.Launch(t, exec.Command(os.Args[0], reexec.Arg))
	})
}

// mainVariable tells a child of these tests to say that its main has been reached.
const mainVariable = "PENSTOCK_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		fmt.Print("main")
		return
	}
	os.Exit(m.Run())
}

// Without the handshake's cookie the argument means nothing: main runs.
func TestInit_NeedsTheCookie(t *testing.T) {
	cmd := exec.Command(os.Args[0], reexec.Arg)
	cmd.Env = append(os.Environ(), mainVariable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "main" {
		t.Fatalf("%q, %v; expected main to run", out, err)
	}
}
