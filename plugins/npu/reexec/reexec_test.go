package reexec_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
	"github.com/penstock-db/penstock/plugins/npu/reexec"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// launch starts this test binary as the plugin, with these variables.
func launch(t *testing.T, variables ...string) plugins.Device {
	t.Helper()
	cmd := exec.Command(os.Args[0], reexec.Arg)
	cmd.Env = append(os.Environ(), variables...)
	return plugintest.Launch(t, cmd)
}

// The test binary, started as a plugin, is the NPU device, and passes for one over the border.
func TestConformance(t *testing.T) {
	if race {
		t.Skip("NOTICE: plugins/npu has the test in process; over the border it runs without the race detector")
	}
	if !long.Tests() {
		t.Skip("plugins/npu has the test in process: run it over the border with PENSTOCK_LONG=1")
	}
	orttest.Runtime(t) // skips the test where there is none
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		return plugintest.Rounds(launch(t, npu.LibraryVariable+"="+orttest.Path()))
	})
}

// A plugin that cannot compute says why, whatever is wrong with its environment.
func TestInit_TellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ variable, value, says string }{
		{npu.LibraryVariable, "", "names no library"},
		{npu.LibraryVariable, "/no/such/library.so", "/no/such/library.so"},
		{npu.LibraryVariable, os.Args[0], os.Args[0]},
		{npu.ProviderVariable, "abacus", "abacus"},
		{npu.SettingsVariable, "[1]", npu.SettingsVariable},
		{npu.SettingsVariable, `{"form":"triangle"}`, "triangle"},
	} {
		t.Run(c.variable+"="+c.value, func(t *testing.T) {
			device := launch(t, npu.LibraryVariable+"=/a/library", c.variable+"="+c.value)
			_, err := device.Describe(t.Context())
			if plugins.KindOf(err) != plugins.KindLaunch || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("Describe: %v; expected %q and %q", err, plugins.KindLaunch, c.says)
			}
			if _, openErr := device.Open(t.Context(), plugins.Job{}); openErr == nil {
				t.Error("a session was opened")
			}
		})
	}
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
