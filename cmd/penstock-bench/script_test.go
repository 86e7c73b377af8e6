package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/penstock-db/penstock/internal/cli/clitest"
	"github.com/penstock-db/penstock/internal/long"
)

func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	testscript.Main(m, map[string]func(){"penstock-bench": main})
}

// buildPenstock builds the program that whole processes run, where it is looked for: beside penstock-bench.
var buildPenstock = sync.OnceValue(func() error {
	self, err := exec.LookPath("penstock-bench")
	if err != nil {
		return err
	}
	said, err := exec.Command("go", "build", "-o", filepath.Join(filepath.Dir(self), "penstock"),
		"../penstock").CombinedOutput()
	if err != nil {
		return errors.Join(err, errors.New(string(said)))
	}
	return nil
})

// TestScripts measures as a user does; each script is one story.
func TestScripts(t *testing.T) {
	long.Unraced(t)
	if err := buildPenstock(); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"interrupted": clitest.Interrupted,
			"usage": clitest.Usage},
		Setup:     clitest.Environ,
		Condition: clitest.Condition,
	})
}
