package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestCardsize asks a stand-in for CUDA's driver, in each way in which CUDA's runtimes do, how large
// its card is.
func TestCardsize(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("preloads a library as Linux does: run it there")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc in PATH (Debian: gcc): ", err)
	}
	directory := t.TempDir()
	compile := func(to string, args ...string) {
		t.Helper()
		command := exec.Command(gcc, append([]string{"-Wall", "-Werror", "-o", filepath.Join(directory, to)}, args...)...)
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	compile("cardsize.so", "-shared", "-fPIC", "../gpu-peers/cardsize.c")
	compile("libcuda.so.1", "-shared", "-fPIC", "testdata/driver.c")
	compile("asks", "testdata/asks.c")
	for _, c := range []struct{ limit, want string }{
		{"300", "300 300 300"},
		{"3000", "1000 1000 1000"},
	} {
		command := exec.Command(filepath.Join(directory, "asks"))
		command.Env = append(os.Environ(), "LD_LIBRARY_PATH="+directory, "LD_PRELOAD="+
			filepath.Join(directory, "cardsize.so"), "CARD_BYTES="+c.limit)
		if got, err := command.Output(); err != nil || string(got) != c.want {
			t.Errorf("a card of 1000 bytes, at most %s: %s, %v", c.limit, got, err)
		}
	}
}
