package programs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// The program that is given is taken, as a path from the root; a file that cannot run is refused.
func TestFindPenstock_Given(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for name, mode := range map[string]os.FileMode{"program": 0o700, "text": 0o600} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	found, err := findPenstock(t.Context(), measure.Options{Penstock: "./program"}, folder)
	if err != nil || found != filepath.Join(folder, "program") {
		t.Error(found, err)
	}
	for _, wrong := range []string{"./text", "./none"} {
		if found, err := findPenstock(t.Context(), (measure.Options{Penstock: wrong}), folder); err == nil {
			t.Errorf("%s: %s", wrong, found)
		}
	}
}

// Where none is given, beside the program, or in sources that Go can build, the error says what to do.
func TestFindPenstock_None(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	found, err := findPenstock(t.Context(), measure.Options{}, folder)
	if missing := (*ProgramError)(nil); !errors.As(err, &missing) {
		t.Error(found, err)
	}
}
