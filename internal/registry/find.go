package registry

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// libraryName begins the name of ONNX Runtime's file, which ends in libraryEnd or has it
// before a version, or after it.
const libraryName = "libonnxruntime"

var libraryEnd = map[string]string{"linux": ".so", "darwin": ".dylib"}[runtime.GOOS]

func isLibrary(file string) bool {
	return strings.HasPrefix(file, libraryName+".") && strings.Contains(file, libraryEnd)
}

// runtimePath is the library that is meant by what the user has named: itself, a folder
// somewhere in which it is, or, by nothing, one in the usual places.
func runtimePath(ctx context.Context, named string) (string, error) {
	if named == "" {
		named = os.Getenv(RuntimeVariable)
	}
	if named == "" {
		return FindRuntime()
	}
	path, err := filepath.Abs(named)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return within(ctx, path)
	}
	return path, foreign(path)
}

// within finds the library for this platform below a folder, as packages have them for several.
func within(ctx context.Context, folder string) (found string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isLibrary(entry.Name()) || foreign(path) != nil {
			return ctx.Err() // what cannot be read is not what is looked for
		}
		found = path
		return fs.SkipAll
	})
	if err == nil && found == "" {
		err = fmt.Errorf("no %s for %s in %s or below", libraryName+libraryEnd, Platform, folder)
	}
	return found, err
}

// FindRuntime looks for ONNX Runtime where it usually is. It fails with a *NoRuntimeError.
func FindRuntime() (string, error) {
	places := usualPlaces()
	for _, place := range places {
		folders, _ := filepath.Glob(place) // the pattern is well formed
		for _, folder := range folders {
			if found := inFolder(folder); found != "" {
				return found, nil
			}
		}
	}
	return "", &NoRuntimeError{Looked: places}
}

func inFolder(folder string) string {
	entries, _ := os.ReadDir(folder) // most are not there
	for _, entry := range entries {
		if path := filepath.Join(folder, entry.Name()); isLibrary(entry.Name()) && foreign(path) == nil {
			return path
		}
	}
	return ""
}

// usualPlaces are where the dynamic loader, Python's packages and people have libraries. The
// working directory is not among them: what lies there is loaded only if it is named.
func usualPlaces() (places []string) {
	for _, variable := range []string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		places = append(places, filepath.SplitList(os.Getenv(variable))...)
	}
	const python = "lib/python3*/site-packages/onnxruntime*/capi"
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(variable); root != "" {
			places = append(places, filepath.Join(root, python))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, filepath.Join(home, ".local", python))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		places = append(places, filepath.Join(cache, "penstock", "onnxruntime-*")) // where plugins/npu/setup.sh puts it
	}
	places = append(places, "/usr/local/lib", "/usr/lib", "/usr/lib64", "/usr/lib/*-linux-gnu", "/opt/onnxruntime*/lib",
		"/opt/homebrew/lib")
	return slices.DeleteFunc(places, func(place string) bool { return !filepath.IsAbs(place) })
}

// NoRuntimeError is that ONNX Runtime is nowhere to be found.
type NoRuntimeError struct {
	Looked []string // folders
}

func (e *NoRuntimeError) Error() string {
	return fmt.Sprintf("no %s in $%s, %s: the NPU plugin needs ONNX Runtime, which is not part of this program; "+
		"name one with --runtime (`penstock plugin install --help` says where to get it)",
		libraryName+libraryEnd, RuntimeVariable, strings.Join(e.Looked, ", "))
}
