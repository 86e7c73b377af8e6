package softcuda

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

const compiler = "g++"

// Build builds libcuda.so.1, with extra CUDA sources, and returns its path. What has been compiled before,
// by whatever process, is taken from the user's cache.
func Build(extra ...string) (string, error) {
	sources, err := sources(extra)
	if err != nil {
		return "", fmt.Errorf("softcuda: %w", err)
	}
	cache, err := openCache()
	if err != nil {
		return "", fmt.Errorf("softcuda: %w", err)
	}
	defer cache.close()
	var objects []string
	for _, s := range sources {
		object, err := cache.made(s.key, "object.o", s.compile)
		if err != nil {
			return "", fmt.Errorf("softcuda: %w", err)
		}
		objects = append(objects, object)
	}
	return cache.made(key(version(), strings.Join(objects, "\n"), strings.Join(linking, "\n")), "libcuda.so.1",
		func(to string) error { return link(to, objects) })
}

// A source is compiled to one object.
type source struct {
	path  string
	flags []string
	files []string // that its object depends on, and folders of such
	text  string   // of these, as the key has it
	key   string   // of all that its object depends on
}

// sources are the driver's own, the kernels' and the extra ones.
func sources(extra []string) ([]source, error) {
	driver := filepath.Join(checkout(), "softcuda", "src")
	kernels := filepath.Join(checkout(), "kernels")
	own, _ := filepath.Glob(filepath.Join(driver, "*.cpp"))
	if len(own) == 0 {
		return nil, fmt.Errorf("there are no sources in %s: tests built with -trimpath cannot find them", driver)
	}
	// No initial-exec: of a library that has one such variable all have to fit into what little room for them a
	// running process has, also what blocks share.
	all, err := read(nil, own, []string{"-Wall", "-Wextra"}, driver)
	if err != nil {
		return nil, err
	}
	grid := []string{"-x", "c++", "-Wno-unknown-pragmas", "-DSOFTCUDA", "-I" + kernels, "-include",
		filepath.Join(driver, "grid.h")}
	modules, err := modules(kernels)
	if err != nil {
		return nil, err
	}
	if all, err = read(all, modules, grid, kernels, filepath.Join(driver, "grid.h")); err != nil {
		return nil, err
	}
	return read(all, extra, grid, append(extra, kernels, filepath.Join(driver, "grid.h"))...)
}

// checkout is the folder of the CUDA plugin.
func checkout() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(here))
}

// modules are the sources of the PTX that is committed.
func modules(kernels string) ([]string, error) {
	ptx, err := filepath.Glob(filepath.Join(kernels, "*.ptx"))
	for i, path := range ptx {
		ptx[i] = strings.TrimSuffix(path, ".ptx") + ".cu"
	}
	return ptx, err
}

// read appends sources that depend on files, and on all in folders.
func read(all []source, paths, flags []string, dependencies ...string) ([]source, error) {
	text, err := contents(dependencies)
	if err != nil {
		return nil, err
	}
	general := []string{"-std=c++17", "-O2", "-fPIC", "-ffp-contract=off", "-U_FORTIFY_SOURCE"}
	// checkouts share what is alike
	wherever := strings.ReplaceAll(strings.Join(append(general, flags...), " "), checkout(), "")
	flags = slices.Concat(general, flags, Include())
	for _, path := range paths {
		all = append(all, source{path, flags, dependencies, text,
			key(version(), header(), filepath.Base(path), wherever, text)})
	}
	return all, nil
}

// compile fails where somebody has edited the sources meanwhile: the key would be of others than the object.
func (s source) compile(to string) error {
	if err := run(append(append([]string{}, s.flags...), "-c", s.path, "-o", to)...); err != nil {
		return err
	}
	if now, err := contents(s.files); err != nil || now != s.text {
		return errors.Join(err, fmt.Errorf("%s, or what it includes, was changed while it was compiled: once more", s.path))
	}
	return nil
}

var linking = []string{"-shared", "-Wl,-soname,libcuda.so.1", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-ldl", "-lpthread"}

func link(to string, objects []string) error {
	return run(append(append([]string{"-o", to}, objects...), linking...)...)
}

func run(arguments ...string) error {
	if out, err := exec.Command(compiler, arguments...).CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("cuda.h: No such file")) {
			return errors.New(`there is no cuda.h: eval "$(plugins/cuda/setup.sh)" first, in the shell that runs the tests`)
		}
		return fmt.Errorf("%s %s: %w\n%s", compiler, strings.Join(arguments, " "), err, out)
	}
	return nil
}

// Include are the compiler's flags that say where cuda.h is, as setup.sh has put them into the environment.
func Include() []string {
	flags := strings.Fields(os.Getenv("CGO_CFLAGS"))
	return slices.DeleteFunc(flags, func(flag string) bool { return !strings.HasPrefix(flag, "-I") })
}

// header is what cuda.h says; where there is none, compiling says so.
func header() string {
	for _, flag := range Include() {
		if text, err := os.ReadFile(filepath.Join(strings.TrimPrefix(flag, "-I"), "cuda.h")); err == nil {
			return string(text)
		}
	}
	return ""
}

// version is the compiler's; where it does not run, compiling says so.
var version = sync.OnceValue(func() string {
	out, _ := exec.Command(compiler, "--version").Output()
	return string(out)
})
