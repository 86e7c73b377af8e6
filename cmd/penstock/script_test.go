package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"penstock": main})
}

// TestScripts runs every command as a user does; each script is one story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"interrupted": interrupted},
		Setup: func(env *testscript.Env) error {
			data, err := filepath.Abs("../../../shared/data")
			if err != nil {
				return err
			}
			reference, err := filepath.Abs("../../examples/plugin")
			if err != nil {
				return err
			}
			env.Setenv("DATA", data)
			env.Setenv("REFERENCE", reference)
			for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
				value, err := goEnv(name)
				if err != nil {
					return err
				}
				env.Setenv(name, value)
			}
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("PENSTOCK_PLUGIN_DIR", filepath.Join(env.WorkDir, "plugins"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "data" {
				return false, nil
			}
			_, err := os.Stat("../../../shared/data")
			return err == nil, nil
		},
	})
}

// goEnv asks the Go tool for one of its settings, which scripts with a HOME of their own
// would else not share.
func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	return strings.TrimSpace(string(out)), err
}

// interrupted runs a command and sends it Ctrl-C after a moment. It counts as failed
// when the exit status is that of an interrupt.
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if !neg || len(args) == 0 {
		ts.Fatalf("usage: ! interrupted command [argument ...]")
	}
	ts.Check(ts.Exec("sh", append([]string{"-c", `"$@" & pid=$!; sleep 1; kill -INT $pid; wait $pid; test $? = 130`, "sh"}, args...)...))
}
