package registry

import (
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
)

// library writes the header of a shared library for a machine, and something after it.
func library(t *testing.T, path string, machine elf.Machine, content string) string {
	t.Helper()
	var text strings.Builder
	header := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64}
	copy(header.Ident[:], "\x7fELF\x02\x01\x01")
	if err := binary.Write(&text, binary.LittleEndian, header); err != nil {
		t.Fatal(err)
	}
	text.WriteString(content)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// twoMachines are this platform's and another.
func twoMachines(t *testing.T) (here, elsewhere elf.Machine) {
	t.Helper()
	here, known := machines[strings.TrimPrefix(Platform, "linux/")]
	if !known {
		t.Skipf("no headers of libraries are known for %s", Platform)
	}
	return here, elf.EM_SPARCV9
}

// isolated is a machine without ONNX Runtime in any usual place but those of its variables.
func isolated(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	for _, variable := range []string{RuntimeVariable, "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV",
		"CONDA_PREFIX"} {
		t.Setenv(variable, "")
	}
}

func TestInstallRuntime_LocksLibraryAndOptions(t *testing.T) {
	isolated(t)
	here, _ := twoMachines(t)
	path := library(t, filepath.Join(t.TempDir(), "libonnxruntime.so.1"), here, "the library")
	beside := library(t, filepath.Join(filepath.Dir(path), "libonnxruntime_providers_openvino.so"), here, "the provider")
	r := fresh(t)
	p, err := r.InstallRuntime(context.Background(), RuntimeOptions{Path: path, Provider: "openvino",
		Options: map[string]string{"device_type": "NPU"}})
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != NPU || p.Version != "0.1.0" || p.Source != path || len(p.Files()) != 2 || p.Files()[1].Path != beside {
		t.Errorf("%+v", p)
	}
	health, err := r.Doctor(context.Background(), NPU)
	if err != nil || len(health) != 1 || health[0].Err != nil || health[0].Description.Hardware != path+
		` openvino {"device_type":"NPU"}` {
		t.Errorf("%+v, %v", health, err)
	}
	vendor := library(t, filepath.Join(t.TempDir(), "vendor.so"), here, "a provider by itself")
	p, err = r.InstallRuntime(context.Background(), RuntimeOptions{Path: path, Provider: "openvino",
		Options: map[string]string{"library": vendor}, Replace: true})
	if err != nil || len(p.Files()) != 3 || p.Files()[2].Path != vendor {
		t.Errorf("%+v, %v", p, err)
	}
	var already *InstalledError
	if _, err := r.InstallRuntime(context.Background(), RuntimeOptions{Path: path}); !errors.As(err, &already) {
		t.Errorf("again: error %v", err)
	}
	if p, err = r.InstallRuntime(context.Background(), RuntimeOptions{Path: path, Replace: true}); err != nil ||
		p.Runtime.Provider != "cpu" || len(p.Files()) != 1 {
		t.Errorf("replaced: %+v, %v", p, err)
	}
	if err := r.Remove(NPU); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the library was removed too: %v", err)
	}
}

// Each file that the plugin loads is compared before it starts.
func TestInstallRuntime_FindsAChangedLibrary(t *testing.T) {
	isolated(t)
	here, _ := twoMachines(t)
	path := library(t, filepath.Join(t.TempDir(), "libonnxruntime.so"), here, "the library")
	beside := library(t, filepath.Join(filepath.Dir(path), "libonnxruntime_providers_shared.so"), here, "the bridge")
	r := fresh(t)
	if _, err := r.InstallRuntime(context.Background(), RuntimeOptions{Path: path, Provider: "tensorrt"}); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, beside} {
		library(t, file, here, "another")
		var wrong *launch.ChecksumError
		if err := r.Verify(); !errors.As(err, &wrong) || wrong.File != file {
			t.Errorf("verify: error %v", err)
		}
		spec, err := r.Resolve(NPU)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := launch.Start(context.Background(), spec, launch.Options{}); !errors.As(err, &wrong) ||
			wrong.File != file || plugins.KindOf(err) != plugins.KindLaunch {
			t.Errorf("start: error %v", err)
		}
		if err := r.Lock(NPU); err != nil {
			t.Fatal(err)
		}
		if err := r.Verify(); err != nil {
			t.Errorf("after lock: %v", err)
		}
	}
	os.Remove(path)
	var lost *LostError
	if err := r.Verify(NPU); !errors.As(err, &lost) || lost.File != path {
		t.Errorf("error %v", err)
	}
}

// A provider that fails, or ends its process, is an answer.
func TestProviders_EachInAProcessOfItsOwn(t *testing.T) {
	isolated(t)
	here, _ := twoMachines(t)
	path := library(t, filepath.Join(t.TempDir(), "libonnxruntime.so"), here, "")
	r := fresh(t)
	if _, err := r.InstallRuntime(context.Background(),
		RuntimeOptions{Path: path, Options: map[string]string{"a": "b"}}); err != nil {
		t.Fatal(err)
	}
	found, err := r.Providers(context.Background(), []string{"cpu", "cuda", "qnn"})
	if err != nil || len(found) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	if found[0].Err != nil || !strings.HasSuffix(found[0].Description.Hardware, `{"a":"b"}`) {
		t.Errorf("%+v", found[0])
	}
	for i, says := range map[int]string{1: "libcuda.so.1", 2: "the library's fault"} {
		if found[i].Err == nil || !strings.Contains(found[i].Err.Error(), says) {
			t.Errorf("%+v, want %q", found[i], says)
		}
	}
}

func TestInstallRuntime_RefusesWhatIsNone(t *testing.T) {
	isolated(t)
	here, elsewhere := twoMachines(t)
	text := filepath.Join(t.TempDir(), "libonnxruntime.so")
	if err := os.WriteFile(text, []byte("not a library"), 0o644); err != nil {
		t.Fatal(err)
	}
	narrow := library(t, filepath.Join(t.TempDir(), "narrow.so"), here, "")
	bytes, _ := os.ReadFile(narrow)
	bytes[4] = byte(elf.ELFCLASS32)
	os.WriteFile(narrow, bytes, 0o644)
	for name, opts := range map[string]RuntimeOptions{
		"no file":         {Path: "/nonexistent/libonnxruntime.so"},
		"no library":      {Path: text},
		"another machine": {Path: library(t, filepath.Join(t.TempDir(), "foreign.so"), elsewhere, "")},
		"32 bits":         {Path: narrow},
		"empty folder":    {Path: t.TempDir()},
		"its provider":    {Path: library(t, filepath.Join(t.TempDir(), "good.so"), here, ""), Provider: "cuda"},
	} {
		r := fresh(t)
		if p, err := r.InstallRuntime(context.Background(), opts); err == nil {
			t.Errorf("%s: installed %+v", name, p)
		} else {
			t.Logf("%s: %v", name, err)
		}
		if all, err := r.List(); err != nil || len(all) > 0 {
			t.Errorf("%s: installed are %+v, %v", name, all, err)
		}
	}
}

func TestInstallRuntime_FindsTheLibrary(t *testing.T) {
	isolated(t)
	here, elsewhere := twoMachines(t)
	home := os.Getenv("HOME")
	r := fresh(t)
	var nowhere *NoRuntimeError
	_, err := r.InstallRuntime(context.Background(), RuntimeOptions{})
	if err == nil {
		t.Skip("needs a machine without ONNX Runtime in a usual place: remove the library to run it")
	}
	if !errors.As(err, &nowhere) {
		t.Fatalf("without a library: %v; expected a NoRuntimeError", err)
	}
	install := func(opts RuntimeOptions, want string) {
		t.Helper()
		opts.Replace = true
		if p, err := r.InstallRuntime(context.Background(), opts); err != nil || p.Runtime.Path() != want {
			t.Errorf("found %+v, %v; want %s", p.Runtime, err, want)
		}
	}
	python := library(
		t, filepath.Join(home, ".local/lib/python3.12/site-packages/onnxruntime/capi/libonnxruntime.so.1.27.0"), here, "")
	install(RuntimeOptions{}, python)
	t.Setenv("LD_LIBRARY_PATH", filepath.Join(home, "lib"))
	library(t, filepath.Join(home, "lib/libonnxruntime.so"), elsewhere, "")
	loader := library(t, filepath.Join(home, "lib/libonnxruntime.so.1"), here, "")
	install(RuntimeOptions{}, loader)
	named := library(t, filepath.Join(home, "its own/ort.so"), here, "")
	t.Setenv(RuntimeVariable, named)
	install(RuntimeOptions{}, named)
	library(t, filepath.Join(home, "package/linux/arm64/libonnxruntime.so.1"), elsewhere, "")
	library(t, filepath.Join(home, "package/linux/a/libonnxruntime_providers_cuda.so"), here, "")
	packed := library(t, filepath.Join(home, "package/linux/x64/libonnxruntime.so.1"), here, "")
	install(RuntimeOptions{Path: filepath.Join(home, "package")}, packed)
}

func TestResolve_TellsHowToInstallTheRuntime(t *testing.T) {
	if _, err := fresh(t).Resolve(NPU); err == nil || !strings.Contains(err.Error(), "penstock plugin install npu") {
		t.Errorf("error %v", err)
	}
}

// Lock files of before there were runtimes are read, and so is a program that has the name.
func TestLock_WithoutRuntimes(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	lock, err := parseLock([]byte(`{"version":1,"plugins":{"npu":{"version":"1","source":"/x","platforms":{"`+Platform+
		`":{"file":"npu","sha256":"`+digest+`"}}}}}`), "lock")
	if err != nil {
		t.Fatal(err)
	}
	r := &Registry{dir: "/dir"}
	if p := r.plugin(NPU, lock.Plugins[NPU]); p.Runtime != nil || p.Path != "/dir/npu/npu" || p.SHA256 != digest {
		t.Errorf("%+v", p)
	}
}

// What this package would not have written must not become a library to load.
func TestList_RefusesAForgedRuntime(t *testing.T) {
	r := fresh(t)
	os.MkdirAll(r.Dir(), 0o755)
	digest := strings.Repeat("00", 32)
	good := Runtime{Libraries: []launch.File{{Path: "/lib/libonnxruntime.so", SHA256: digest}}, Provider: "cpu"}
	for _, wrong := range []Runtime{
		{Provider: "cpu"},
		{Libraries: []launch.File{{Path: "libonnxruntime.so", SHA256: digest}}, Provider: "cpu"},
		{Libraries: []launch.File{{Path: "/lib/libonnxruntime.so"}}, Provider: "cpu"},
		{Libraries: good.Libraries},
	} {
		writeJSON(t, r.lockPath(), Lock{Version: lockVersion, Plugins: map[string]Locked{NPU: {Runtime: &wrong}}})
		var refused *ManifestError
		if _, err := r.List(); !errors.As(err, &refused) || refused.Field != "plugins/npu/runtime" {
			t.Errorf("%+v: error %v", wrong, err)
		}
	}
	writeJSON(t, r.lockPath(), Lock{Version: lockVersion, Plugins: map[string]Locked{"turbine": {Runtime: &good}}})
	if _, err := r.List(); err == nil {
		t.Error("another plugin has a runtime")
	}
}
