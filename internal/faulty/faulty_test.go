package faulty_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/internal/faulty"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// scriptVariable has the faults of the victim: the test that is expected to fail, in a
// process of its own.
const scriptVariable = "PENSTOCK_TEST_FAULTS"

func TestVictim(t *testing.T) {
	script, ok := os.LookupEnv(scriptVariable)
	if !ok {
		t.Skip("is the process that TestSuite_Catches starts: run that")
	}
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		device, err := faulty.New(reference.New(), script)
		if err != nil {
			t.Fatal(err)
		}
		return device
	})
}

// victim runs one group of the suite on a device with faults.
func victim(script, group string) (output string, err error) {
	timeout := "2m"
	if strings.Contains(script, "hang") {
		timeout = "3s" // the suite's own patience is longer
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$/^"+group+"$", "-test.v", "-test.timeout="+timeout)
	cmd.Env = append(os.Environ(), scriptVariable+"="+script)
	b, err := cmd.CombinedOutput()
	return string(b), err
}

func TestSuite_Catches(t *testing.T) {
	for _, c := range []struct{ script, group, says string }{
		{"lie at every step", "Catalog", "expected"},
		{"lie at every apply", "Catalog", "expected"},
		{"lie at every iterate", "Shapes", "expected"},
		{"lie at iterate 2", "SameBits", "expected"},
		{"lie at every iterate", "Operators", "expected"},
		{"lie at iterate 5", "Sessions", "expected"},
		{"lie at call 3", "Catalog", "expected"},
		{"lie at evict", "Budget", "resident already"},
		{"lie at evict", "Invalid", "it succeeded"},
		{"lie at upload", "Damage", "it succeeded"},
		{"exceed at upload", "Budget", "the peak fell"},
		{"exceed at every upload", "Budget", "the budget is"},
		{"exceed at every init", "Budget", "the budget is"},
		{"hang at iterate", "Cancel", "test timed out"},
		{"hang at compile", "Sessions", "test timed out"},
	} {
		t.Run(c.script+", "+c.group, func(t *testing.T) {
			t.Parallel()
			output, err := victim(c.script, c.group)
			if err == nil {
				t.Fatalf("the suite passes a device that should %s:\n%s", c.script, output)
			}
			if !strings.Contains(output, c.says) {
				t.Errorf("the suite fails without saying %q:\n%s", c.says, output)
			}
		})
	}
}

func TestDie_ExitsWithoutAWord(t *testing.T) {
	output, err := victim("die at upload 2", "Budget")
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Fatalf("%v; expected exit status 3:\n%s", err, output)
	}
}

// TestNew_NoFaults: the wrapper by itself is a good device.
func TestNew_NoFaults(t *testing.T) {
	for _, group := range []string{"Programs", "Budget", "Invalid", "Cancel", "Sessions"} {
		if output, err := victim("", group); err != nil {
			t.Errorf("%s: %v\n%s", group, err, output)
		}
	}
}

func TestNew_ScriptErrors(t *testing.T) {
	for _, script := range []string{
		"die", "die step", "die at", "die on step", "explode at step", "die at lunch",
		"die at step 0", "die at step -1", "die at step x", "die at step 1 2",
		"die at every", "die at every step 2", "lie at open", "stall at compile", "die at step;;hang",
	} {
		var e *faulty.ScriptError
		if _, err := faulty.New(reference.New(), script); !errors.As(err, &e) {
			t.Errorf("%q: %v; expected a *ScriptError", script, err)
		}
	}
	for _, script := range []string{"", " ; ", "die at step 3; hang at every iterate ;lie at call"} {
		if _, err := faulty.New(reference.New(), script); err != nil {
			t.Errorf("%q: %v", script, err)
		}
	}
}

func FuzzNew(f *testing.F) {
	f.Add("die at step 3; hang at every iterate;lie at call")
	f.Fuzz(func(t *testing.T, script string) {
		device, err := faulty.New(reference.New(), script)
		if (device == nil) == (err == nil) {
			t.Errorf("%v, %v", device, err)
		}
	})
}
