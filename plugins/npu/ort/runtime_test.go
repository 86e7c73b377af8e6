package ort_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

func TestOpen_SaysWhatTheLibraryIs(t *testing.T) {
	r := orttest.Runtime(t)
	if !strings.HasPrefix(r.Version(), "1.") || r.Path() != orttest.Path() {
		t.Fatalf("version %q of %q", r.Version(), r.Path())
	}
	if !r.Has(ort.CPU) || !slices.Contains(r.Providers(), ort.CPU.Name()) {
		t.Fatalf("no processor among %v", r.Providers())
	}
}

func TestOpen_Twice(t *testing.T) {
	first, second := orttest.Runtime(t), orttest.Runtime(t)
	first.Close()
	bound(t, second, minPlus(2), ort.Options{})
}

func TestOpen_NoLibrary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "libonnxruntime.so.1")
	must(t, os.WriteFile(file, []byte("not a library"), 0o600))
	for _, path := range []string{"", "/nowhere/libonnxruntime.so.1", file, t.TempDir()} {
		r, err := ort.Open(path)
		if !isCode(err, ort.NotLoaded) || r != nil || !strings.Contains(err.Error(), "the path must name") {
			t.Errorf("%q: got %v", path, err)
		}
	}
}

// The system's loader would read on beyond the end of a file, which kills the process.
func TestOpen_CutShort(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("NOTICE: libraries' files are looked at where they are ELF")
	}
	library, err := os.ReadFile(orttest.Runtime(t).Path())
	must(t, err)
	for _, size := range []int{0, 10, 100, len(library) / 2, len(library) * 9 / 10} {
		file := filepath.Join(t.TempDir(), "libonnxruntime.so.1")
		must(t, os.WriteFile(file, library[:size], 0o600))
		if r, err := ort.Open(file); !isCode(err, ort.NotLoaded) || r != nil {
			t.Errorf("%d bytes of %d: got %v", size, len(library), err)
		}
	}
}

func TestOpen_AnotherMachine(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("NOTICE: libraries' files are looked at where they are ELF")
	}
	file := filepath.Join(t.TempDir(), "libonnxruntime.so.1")
	header := make([]byte, 64) // of an ELF file for SPARC, with nothing in it
	copy(header, "\x7fELF\x02\x01\x01")
	header[16], header[18], header[20], header[52], header[54], header[58] = 3, 43, 1, 64, 56, 64
	must(t, os.WriteFile(file, header, 0o600))
	if _, err := ort.Open(file); !isCode(err, ort.NotLoaded) || !strings.Contains(err.Error(), "EM_SPARCV9") {
		t.Errorf("got %v", err)
	}
}

func TestOpen_AnotherLibrary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOTICE: the C library has another name here")
	}
	_, err := ort.Open("libc.so.6")
	if !isCode(err, ort.NotLoaded) || !strings.Contains(err.Error(), "OrtGetApiBase") {
		t.Fatalf("got %v", err)
	}
}

func TestNewSession_BadModels(t *testing.T) {
	r := orttest.Runtime(t)
	good := minPlus(3).Model()
	unknown := minPlus(3)
	unknown.Nodes[0].Operator = "Subtrahend"
	mistyped := minPlus(3)
	mistyped.Inputs[1].Type = onnx.Int8
	for what, model := range map[string][]byte{
		"nothing": nil, "noise": []byte("onnx?"), "cut short": good[:len(good)/2],
		"an unknown operator": unknown.Model(), "types that do not fit": mistyped.Model(),
	} {
		session, err := r.NewSession(model, ort.Options{})
		failure := (*ort.Error)(nil)
		if !errors.As(err, &failure) || session != nil || failure.Message == "" || failure.Library != r.Path() {
			t.Errorf("%s: got %v", what, err)
		}
	}
	_, err := r.NewSession(unknown.Model(), ort.Options{})
	if !strings.Contains(err.Error(), "Subtrahend") {
		t.Errorf("the operator is not named: %v", err)
	}
}

// A provider that cannot be had is refused with what it takes: the library was built without it, or what its
// vendor ships is not there.
func TestNewSession_ProvidersThatAreMissing(t *testing.T) {
	r := orttest.Runtime(t)
	for _, p := range ort.All[1:] {
		session, err := r.NewSession(minPlus(2).Model(),
			ort.Options{Provider: p, Settings: map[string]string{"device_id": "0"}})
		if err == nil {
			session.Close()
			t.Logf("NOTICE: %s is here", p)
			continue
		}
		if isCode(err, ort.MissingProvider) == r.Has(p) || !strings.Contains(err.Error(), p.Needs()) {
			t.Errorf("%s: got %v", p, err)
		}
	}
}

func TestNewSession_TheProcessorTakesNoSettings(t *testing.T) {
	_, err := orttest.Runtime(t).NewSession(minPlus(2).Model(), ort.Options{Settings: map[string]string{"device_id": "0"}})
	if !isCode(err, ort.InvalidArgument) || !strings.Contains(err.Error(), "device_id") {
		t.Errorf("got %v", err)
	}
}

func TestSession_UsedAfterClose(t *testing.T) {
	session, err := orttest.Runtime(t).NewSession(minPlus(1).Model(), ort.Options{})
	must(t, err)
	b, err := session.Bind()
	must(t, err)
	b.Close()
	session.Close()
	b.Close()
	session.Close()
	_, bind := session.Bind()
	for what, err := range map[string]error{
		"Bind": bind, "Run": b.Run(t.Context()), "BindInput": b.BindInput("w", onnx.Float32, []int64{1, 1}, make([]byte, 4)),
		"BindOutput": b.BindOutput("y", onnx.Float32, []int64{1}, make([]byte, 4)), "Feed": b.Feed("y", "x"),
		"BindOutputToDevice": b.BindOutputToDevice("y"),
	} {
		if !errors.Is(err, ort.ErrClosed) {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
