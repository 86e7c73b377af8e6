package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/launch"
)

// NPU is the plugin that is this program again, and computes with a library that it loads:
// ONNX Runtime. To install it is to say which.
const NPU = "npu"

// Runtime is the library that the NPU plugin loads, and how it uses it.
type Runtime struct {
	Libraries []launch.File     `json:"libraries"` // ONNX Runtime, and what its provider has beside it
	Provider  string            `json:"provider"`
	Options   map[string]string `json:"options,omitempty"` // of the provider
}

// The variables that tell the plugin what is installed.
const (
	RuntimeVariable  = "PENSTOCK_ONNXRUNTIME"
	providerVariable = "PENSTOCK_NPU_PROVIDER"
	optionsVariable  = "PENSTOCK_NPU_OPTIONS"
)

// RuntimeOptions say which library to install.
type RuntimeOptions struct {
	Path     string // of the library, or a folder in which it is; empty: see FindRuntime
	Provider string // empty: cpu
	Options  map[string]string
	Replace  bool
}

// InstallRuntime locks a library for the NPU plugin, which is started once, to see that it
// can compute with it. The library stays where it is.
func (r *Registry) InstallRuntime(ctx context.Context, opts RuntimeOptions) (Plugin, error) {
	path, err := runtimePath(ctx, opts.Path)
	if err != nil {
		return Plugin{}, err
	}
	runtime, err := newRuntime(path, opts)
	if err != nil {
		return Plugin{}, err
	}
	spec, err := runtime.spec()
	if err != nil {
		return Plugin{}, err
	}
	var found Health
	if found.examine(ctx, spec); found.Err != nil {
		return Plugin{}, found.Err
	}
	err = r.change(func(lock *Lock) error {
		if old, ok := lock.Plugins[NPU]; ok && !opts.Replace {
			return &InstalledError{Name: NPU, Version: old.Version}
		}
		lock.Plugins[NPU] = Locked{Version: found.Description.Version, Source: path, Runtime: runtime}
		return os.RemoveAll(filepath.Join(r.dir, NPU)) // of a program that had the name before
	})
	if err != nil {
		return Plugin{}, err
	}
	return r.Info(NPU)
}

func newRuntime(path string, opts RuntimeOptions) (*Runtime, error) {
	runtime := &Runtime{Libraries: []launch.File{{Path: path}}, Provider: opts.Provider, Options: maps.Clone(opts.Options)}
	if runtime.Provider == "" {
		runtime.Provider = "cpu"
	}
	for _, path := range besides(path, runtime.Provider) {
		runtime.Libraries = append(runtime.Libraries, launch.File{Path: path})
	}
	if err := runtime.addApart(); err != nil {
		return nil, err
	}
	return runtime, runtime.relock()
}

// apart is the option that names the library of a provider that its vendor ships by itself.
const apart = "library"

// addApart has that library locked as well.
func (r *Runtime) addApart() error {
	if r.Options[apart] == "" {
		return nil
	}
	path, err := filepath.Abs(r.Options[apart])
	if err == nil {
		err = foreign(path)
	}
	r.Options[apart] = path
	r.Libraries = append(r.Libraries, launch.File{Path: path})
	return err
}

// besides are the libraries of a provider's own, which ONNX Runtime looks for beside itself.
func besides(path, provider string) (there []string) {
	for _, name := range []string{"shared", provider} {
		beside := filepath.Join(filepath.Dir(path), libraryName+"_providers_"+name+libraryEnd)
		if _, err := os.Stat(beside); err == nil && provider != "cpu" {
			there = append(there, beside)
		}
	}
	return there
}

// spec says how to start the plugin with this library.
func (r *Runtime) spec() (launch.Spec, error) {
	spec, err := launch.Embedded(NPU)
	if err != nil {
		return spec, err
	}
	options, err := json.Marshal(r.Options)
	spec.Libraries = r.Libraries
	if kind, ok := hardwareOf[r.Provider]; ok {
		spec.Grants.Hardware = []string{kind}
	}
	spec.Env = []string{RuntimeVariable + "=" + r.Path(), providerVariable + "=" + r.Provider, optionsVariable + "=" +
		string(options)}
	return spec, err
}

// hardwareOf providers is what they compute on, by its kind.
var hardwareOf = map[string]string{"cuda": "nvidia", "tensorrt": "nvidia", "cann": "ascend", "openvino": "intel",
	"qnn": "qualcomm"}

// Path is where ONNX Runtime itself is.
func (r *Runtime) Path() string { return r.Libraries[0].Path }

// relock takes the libraries as they are now.
func (r *Runtime) relock() (err error) {
	for i := range r.Libraries {
		if r.Libraries[i].SHA256, err = launch.Digest(r.Libraries[i].Path); err != nil {
			return err
		}
	}
	return nil
}

// check refuses what this package would not have written.
func (r *Runtime) check() error {
	for _, library := range r.Libraries {
		if !filepath.IsAbs(library.Path) {
			return fmt.Errorf("%q does not say where the library is: its path must be an absolute one", library.Path)
		}
		if err := manifest.CheckDigest(library.SHA256); err != nil {
			return err
		}
	}
	switch {
	case len(r.Libraries) == 0:
		return errors.New("it names no library")
	case r.Provider == "":
		return errors.New("it names no provider")
	}
	return nil
}

// with is the runtime for another provider, without the options of this one's.
func (r *Runtime) with(provider string) *Runtime {
	if provider == r.Provider {
		return r
	}
	return &Runtime{Libraries: r.Libraries, Provider: provider}
}
