package softcuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// The tests of the library are in C++ (testdata/*_test.cpp), each run in a process of its own: what
// one does to a card is no matter to another.
func TestLibrary(t *testing.T) {
	softcuda.Faults(t)
	check := build(t)
	list, err := exec.Command(check).Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))
	if len(names) < 10 {
		t.Fatalf("there are tests %q", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(check, name)
			cmd.Env = append(os.Environ(), "TEST_PTX=testdata/kernels.ptx", "TEST_FOLDER="+t.TempDir())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// build compiles them, and links them with the library.
func build(t *testing.T) string {
	t.Helper()
	library := softcuda.Library(t, "testdata/kernels.cu")
	check := filepath.Join(t.TempDir(), "check")
	sources, _ := filepath.Glob("testdata/*.cpp")
	arguments := append(softcuda.Include(), "-std=c++17", "-g", "-O0", "-Wall", "-Wextra", "-Werror", "-o", check)
	arguments = append(append(arguments, sources...), library, "-Wl,-rpath,"+filepath.Dir(library), "-lpthread")
	if out, err := exec.Command("g++", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return check
}
