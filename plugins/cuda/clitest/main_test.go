// Package clitest tests the CUDA plugin as a user has it: installed, and asked by commands. What it computes is
// compared with what the processor computes, and when something goes wrong nothing may be left of it.
package clitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// folder is where the programs are; TestMain removes it.
var folder string

func TestMain(m *testing.M) {
	softcuda.Main(m)
	os.RemoveAll(folder) // of none it does nothing
}

// bundleVariable names a folder in which the programs are, as bench/gpu.sh carries them to a machine without Go.
const bundleVariable = "PENSTOCK_CUDA_BUNDLE"

// programs is a folder with penstock and, in cuda, the plugin: that of the bundle, or built once.
var programs = sync.OnceValues(func() (string, error) {
	if bundle := os.Getenv(bundleVariable); bundle != "" {
		return bundle, nil
	}
	var err error
	if folder, err = os.MkdirTemp("", "penstock-clitest"); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "penstock"), "./cmd/penstock")
	build.Dir = filepath.Join("..", "..", "..")
	if err := quiet(build); err != nil {
		return "", err
	}
	return folder, quiet(exec.Command(filepath.Join("..", "build.sh"), filepath.Join(folder, "cuda")))
})
