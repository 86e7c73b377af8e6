package ort_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

func TestNewSession_LibrariesOfProviders(t *testing.T) {
	r := orttest.Runtime(t)
	for what, path := range map[string]string{"none": filepath.Join(t.TempDir(), "libQnn.so"), "another": r.Path()} {
		_, err := r.NewSession(minPlus(2).Model(), ort.Options{Provider: ort.QNN,
			Settings: map[string]string{"library": path}})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", what, err)
		}
	}
}

// The processor is a device as those of vendors' libraries are.
func TestNewSession_OnADevice(t *testing.T) {
	r := orttest.Runtime(t)
	if !r.TakesLibraries() {
		t.Skip("NOTICE: this version lists no devices: ", r.Version())
	}
	for _, kind := range []string{"", "cpu"} {
		session, err := r.NewSessionOn(ort.CPU.Name(), kind, minPlus(1).Model())
		must(t, err)
		b, err := session.Bind()
		must(t, err)
		y := []float32{0}
		must(t, b.BindInput("w", onnx.Float32, []int64{1, 1}, onnx.Bytes([]float32{2})))
		must(t, b.BindInput("x", onnx.Float32, []int64{1}, onnx.Bytes([]float32{3})))
		must(t, b.BindOutput("y", onnx.Float32, []int64{1}, onnx.Bytes(y)))
		must(t, b.Run(context.Background()))
		if y[0] != 5 {
			t.Errorf("got %v", y)
		}
		b.Close()
		session.Close()
	}
	for _, absent := range [][2]string{{ort.CPU.Name(), "npu"}, {"NoExecutionProvider", ""}} {
		_, err := r.NewSessionOn(absent[0], absent[1], minPlus(1).Model())
		if !isCode(err, ort.MissingProvider) || !strings.Contains(err.Error(), "CPUExecutionProvider on cpu") {
			t.Errorf("%v: got %v", absent, err)
		}
	}
}
