package scaffold

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestMake_EmptyFolder: a folder that is there may be used when it is empty, and nothing is left beside it.
func TestMake_EmptyFolder(t *testing.T) {
	above := t.TempDir()
	p := Plugin{Kind: Device, Name: "turbine", Dir: filepath.Join(above, "t"), Version: "v1.2.0"}
	if err := os.Mkdir(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Make(p); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"main.go", "main_test.go", "reference/device.go", "go.mod", "plugin.yaml", "README.md", ".gitignore"} {
		if text, err := os.ReadFile(filepath.Join(p.Dir, file)); err != nil || len(text) == 0 {
			t.Errorf("%s: %d bytes, %v", file, len(text), err)
		}
	}
	var exists *ExistsError
	if err := Make(p); !errors.As(err, &exists) {
		t.Errorf("made again: %v", err)
	}
	if entries, err := os.ReadDir(above); err != nil || len(entries) != 1 {
		t.Errorf("beside it: %v, %v", entries, err)
	}
}

func TestFindSource(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if found := FindSource(here); found != filepath.Dir(filepath.Dir(here)) {
		t.Errorf("found %q above %s", found, here)
	}
	if found := FindSource(t.TempDir()); found != "" {
		t.Errorf("found %q where there is none", found)
	}
}
