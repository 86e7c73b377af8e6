package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"penstock": main})
}

// TestScripts runs every command as a user does; each script is one story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			data, err := filepath.Abs("../../../shared/data")
			if err != nil {
				return err
			}
			env.Setenv("DATA", data)
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
