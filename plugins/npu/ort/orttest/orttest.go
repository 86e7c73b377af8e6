// Package orttest opens ONNX Runtime in tests.
package orttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Runtime opens the library that $PENSTOCK_ONNXRUNTIME names, or the one that plugins/npu/setup.sh
// fetched. Without any the test is skipped, with a notice; with $PENSTOCK_NPU_REQUIRED it fails.
func Runtime(t testing.TB) *ort.Runtime {
	t.Helper()
	path := Path()
	if path == "" {
		absent(t)
	}
	runtime, err := ort.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(runtime.Close)
	return runtime
}

// Path is that of the library, or empty.
func Path() string {
	if path := os.Getenv("PENSTOCK_ONNXRUNTIME"); path != "" {
		return path
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	found, _ := filepath.Glob(filepath.Join(cache, "penstock", "onnxruntime-*", "libonnxruntime.*"))
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

func absent(t testing.TB) {
	t.Helper()
	if os.Getenv("PENSTOCK_NPU_REQUIRED") != "" {
		t.Fatal(
			"PENSTOCK_NPU_REQUIRED is set, but there is no ONNX Runtime: run plugins/npu/setup.sh, or set PENSTOCK_ONNXRUNTIME to the library's path")
	}
	t.Skip(
		"NOTICE: not tested, for there is no ONNX Runtime: run plugins/npu/setup.sh, or set PENSTOCK_ONNXRUNTIME to the library's path")
}
