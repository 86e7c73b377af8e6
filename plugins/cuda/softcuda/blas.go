package softcuda

import (
	"path/filepath"
	"strings"
	"testing"
)

// Blas builds a test double of cuBLAS, which multiplies on the processor, and returns its path.
func Blas(t testing.TB) string {
	t.Helper()
	Faults(t)
	if missing() {
		absent(t)
	}
	source := filepath.Join(checkout(), "softcuda", "blas", "cublas.cpp")
	text, err := contents([]string{source})
	if err != nil {
		t.Fatal(err)
	}
	cache, err := openCache()
	if err != nil {
		t.Fatal(err)
	}
	defer cache.close()
	flags := []string{"-std=c++17", "-O2", "-fPIC", "-Wall", "-Wextra", "-shared", "-ldl"}
	path, err := cache.made(key(version(), header(), text, strings.Join(flags, " ")), "libcublas.so.12",
		func(to string) error { return run(append(append(flags, Include()...), source, "-o", to)...) })
	if err != nil {
		t.Fatal(err)
	}
	return path
}
