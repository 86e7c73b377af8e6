package ort

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// Runtime is a loaded library. It may be used by several goroutines at once.
type Runtime struct {
	path       string
	version    string
	providers  []string
	api        api
	apiVersion uint32
	mallocTrim func(pad uint) int32 // glibc's; nil elsewhere
	env        handle
	memory     handle // describes the host's memory

	mutex      sync.Mutex
	registered map[string]bool // providers' libraries, by path
}

// Log messages are the host's to see only when they are fatal: errors come back as errors.
const fatal = 4

// Open loads the library at path.
func Open(path string) (*Runtime, error) {
	r := &Runtime{path: path, registered: map[string]bool{}}
	if err := r.load(); err != nil {
		return nil, err
	}
	if err := r.start(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// address is that of the one function that the library exports.
func (r *Runtime) address() (uintptr, error) {
	if err := whole(r.path); err != nil {
		return 0, err
	}
	return load(r.path)
}

// load finds the newest table of functions that both sides know, and keeps the functions.
func (r *Runtime) load() error {
	address, err := r.address()
	if err != nil {
		return &Error{r.path, "loading", NotLoaded, err.Error(),
			"the path must name ONNX Runtime's shared library (libonnxruntime.so.1, libonnxruntime.dylib) for this system"}
	}
	var getBase func() *base
	bind(&getBase, address)
	if trim := inProgram("malloc_trim"); trim != 0 {
		bind(&r.mallocTrim, trim)
	}
	return r.negotiate(getBase())
}

func (r *Runtime) negotiate(b *base) error {
	var getVersion func() string
	bind(&getVersion, b.getVersionString)
	r.version = getVersion()
	version, err := apiVersion(r.version)
	if err != nil || version < oldestAPI {
		return r.tooOld()
	}
	r.apiVersion = min(version, newestAPI)
	var getAPI func(uint32) unsafe.Pointer
	bind(&getAPI, b.getAPI)
	table := getAPI(r.apiVersion)
	if table == nil {
		return r.tooOld()
	}
	r.api.fill(table, r.apiVersion)
	return nil
}

func (r *Runtime) tooOld() error {
	return &Error{r.path, "loading", TooOld, "its version is " + strconv.Quote(r.version),
		fmt.Sprintf("take version 1.%d or newer", oldestAPI)}
}

// apiVersion is the newest table's of a library: its minor version. Asking for a newer one would have the
// library write to standard error.
func apiVersion(version string) (uint32, error) {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(minor, 10, 32)
	if err == nil && major != "1" {
		err = fmt.Errorf("major version %s", major)
	}
	return uint32(n), err
}

func (r *Runtime) start() error {
	if err := r.check(r.api.CreateEnv(fatal, "penstock", &r.env), "starting"); err != nil {
		return err
	}
	if err := r.check(r.api.DisableTelemetryEvents(r.env), "turning telemetry off"); err != nil {
		return err
	}
	const deviceAllocator, defaultMemory = 0, 0
	if err := r.check(r.api.CreateCPUMemoryInfo(deviceAllocator, defaultMemory, &r.memory),
		"describing the host's memory"); err != nil {
		return err
	}
	return r.listProviders()
}

func (r *Runtime) listProviders() error {
	var names unsafe.Pointer
	var count int32
	if err := r.check(r.api.GetAvailableProviders(&names, &count), "listing providers"); err != nil {
		return err
	}
	for _, name := range unsafe.Slice((**byte)(names), count) {
		r.providers = append(r.providers, text(name))
	}
	return r.check(r.api.ReleaseProviders(names, count), "listing providers")
}

// text copies a string of C.
func text(s *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// Path is where the library was loaded from.
func (r *Runtime) Path() string { return r.path }

// Version is the library's own, as "1.27.0".
func (r *Runtime) Version() string { return r.version }

// Providers are the names, in the library's words, of the providers that it was built with.
func (r *Runtime) Providers() []string { return r.providers }

// Close frees what Open made. Sessions must have been closed before. The library stays loaded.
func (r *Runtime) Close() {
	if r.memory != 0 {
		r.api.ReleaseMemoryInfo(r.memory)
	}
	if r.env != 0 {
		r.api.ReleaseEnv(r.env)
	}
	r.memory, r.env = 0, 0
}
