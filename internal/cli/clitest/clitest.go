// Package clitest is what scripts that test command lines need beside testscript's own commands.
package clitest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// Condition is [exists:FILE], [long]: tests take their time, or [npu]: there is an ONNX Runtime, as there must be where
// that is required.
func Condition(name string) (bool, error) {
	if name == "long" {
		return long.Tests(), nil
	}
	if name == "npu" {
		there := orttest.Path() != ""
		if !there && os.Getenv("PENSTOCK_NPU_REQUIRED") != "" {
			return false, errors.New("PENSTOCK_NPU_REQUIRED is set, but there is no ONNX Runtime: run plugins/npu/setup.sh")
		}
		return there, nil
	}
	file, ok := strings.CutPrefix(name, "exists:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	_, err := os.Stat(file)
	return err == nil, nil
}

// Environ gives a script the Go tool's caches, which a HOME of its own would else hide, and a HOME.
func Environ(env *testscript.Env) error {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return err
		}
		env.Setenv(name, strings.TrimSpace(string(out)))
	}
	env.Setenv("RUNTIME", orttest.Path())
	for _, name := range []string{"GORACE", "PENSTOCK_TEST_SEED"} {
		env.Setenv(name, os.Getenv(name))
	}
	env.Setenv("HOME", env.WorkDir)
	return nil
}

// Interrupted runs a command and sends it Ctrl-C a moment after it began to listen for that: a shell has what it starts
// in the background ignore it until then. It counts as failed when the exit status is that of an interrupt.
func Interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if !neg || len(args) == 0 {
		ts.Fatalf("usage: ! interrupted command [argument ...]")
	}
	ts.Check(ts.Exec("sh", append([]string{"-c", interrupt, "sh"}, args...)...))
}

// interrupt: the last digit of the signals that Linux says a process catches has 2 in it, SIGINT's bit.
const interrupt = `"$@" & pid=$!
while test -e /proc/$pid/status && ! grep -q '^SigCgt:.*[2367abef]$' /proc/$pid/status; do sleep 0.02; done
sleep 1; kill -INT $pid; wait $pid; test $? = 130`

// Usage runs a command that must be refused as wrong usage.
func Usage(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("sh", append([]string{"-c", `"$@"; test $? = 2`, "sh"}, args...)...))
}
