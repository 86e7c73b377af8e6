package clitest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A home is a user's: a database, installed plugins, and a folder for temporary files, in which nothing may stay.
type home struct {
	t           *testing.T
	program     string
	folder      string
	environment []string
}

// settle is how long what a command has started may outlive it.
const settle = time.Minute

// newHome has the plugin installed, and the graphs that all tests are about.
func newHome(t *testing.T) *home {
	t.Helper()
	bundle, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t: t, program: filepath.Join(bundle, "penstock"), folder: t.TempDir()}
	temporary := h.file("tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	h.environment = append(os.Environ(), "HOME="+h.folder, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "TMPDIR="+temporary,
		"PENSTOCK_DB="+h.file("db"), "PENSTOCK_PLUGIN_DIR="+h.file("plugins"))
	t.Cleanup(h.checkNothingIsLeft)
	h.penstock("plugin", "install", h.wrapper())
	h.link(filepath.Join(bundle, "cuda", "penstock-device-cuda"), h.file("plugins/cuda/penstock-device-cuda"))
	h.penstock("generate", "small", "--scale", "9", "--weights")
	h.penstock("generate", "directed", "--scale", "9", "--edge-factor", "8", "--weights", "--directed")
	return h
}

func (h *home) file(name string) string { return filepath.Join(h.folder, name) }

// link has a file be at another place as well.
func (h *home) link(from, to string) {
	h.t.Helper()
	if os.Link(from, to) == nil {
		return
	}
	program, err := os.ReadFile(from) // they are not in one file system
	if err == nil {
		err = os.WriteFile(to, program, 0o700)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// wrapper is a plugin that passes on what a test tells softcuda, to the program that lies beside it: a plugin sees no
// variables but those that the host knows, and its own.
func (h *home) wrapper() string {
	h.t.Helper()
	wrapper := h.file("wrapper")
	const script = "#!/bin/sh\nfor setting in $PENSTOCK_CUDA_SOFT; do export \"SOFTCUDA_$setting\"; done\n" +
		"exec \"${0%/*}/penstock-device-cuda\"\n"
	manifest := fmt.Sprintf(`{"name": "cuda", "version": "0.0.0", "kind": "device", "protocol": {"min": 1, "max": 1},
		"platforms": {"linux/amd64": {"file": "wrapper", "sha256": "%x"}}}`, sha256.Sum256([]byte(script)))
	for name, text := range map[string]string{"wrapper": script, "plugin.json": manifest} {
		if err := os.MkdirAll(wrapper, 0o700); err != nil {
			h.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(wrapper, name), []byte(text), 0o700); err != nil {
			h.t.Fatal(err)
		}
	}
	return wrapper
}

// shared tells softcuda that processes share cards: by a file where a driver may keep what it compiles.
func (h *home) shared() string {
	h.t.Helper()
	cache := h.file(".nv/ComputeCache")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		h.t.Fatal(err)
	}
	return "SHARED=" + filepath.Join(cache, "card")
}

// telling is the same home where softcuda is told something, as FAULT=oom@1.
func (h *home) telling(settings ...string) *home {
	other := *h
	other.environment = append(slices.Clone(h.environment), "PENSTOCK_CUDA_SOFT="+strings.Join(settings, " "))
	return &other
}

// command is one of penstock's, which is killed after five minutes.
func (h *home) command(arguments ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	h.t.Cleanup(cancel)
	c := exec.CommandContext(ctx, h.program, arguments...)
	c.Env = h.environment
	return c
}

// penstock is what a command prints, which must succeed.
func (h *home) penstock(arguments ...string) string {
	h.t.Helper()
	out, err := output(h.command(arguments...))
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// refused is the error of a command that must fail, and say all of these.
func (h *home) refused(arguments []string, says ...string) {
	h.t.Helper()
	out, err := output(h.command(arguments...))
	if err == nil {
		h.t.Errorf("penstock %s succeeds:\n%s", strings.Join(arguments, " "), out)
		return
	}
	for _, words := range says {
		if !strings.Contains(err.Error(), words) {
			h.t.Errorf("%v\nexpected that it says %q", err, words)
		}
	}
}

// estimate is a number of what `penstock estimate` says.
func (h *home) estimate(number string, arguments ...string) uint64 {
	h.t.Helper()
	var needs map[string]any
	out := h.penstock(append([]string{"estimate", "--json", "--device", "cuda"}, arguments...)...)
	if err := json.Unmarshal([]byte(out), &needs); err != nil {
		h.t.Fatal(err)
	}
	bytes, ok := needs[number].(float64)
	if !ok {
		h.t.Fatalf("there is no %q in %s", number, out)
	}
	return uint64(bytes)
}

// checkNothingIsLeft waits until nobody is there whom a command has started, and then looks for files.
func (h *home) checkNothingIsLeft() {
	end := time.Now().Add(settle)
	for len(h.processes()) > 0 && time.Now().Before(end) {
		time.Sleep(20 * time.Millisecond)
	}
	for _, pid := range h.processes() {
		line, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
		h.t.Errorf("process %s is still there: %s", pid, bytes.ReplaceAll(line, []byte{0}, []byte(" ")))
	}
	left, err := filepath.Glob(filepath.Join(h.file("tmp"), "*"))
	if err != nil || len(left) > 0 {
		h.t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// processes are those with this home's folder of temporary files in their environment.
func (h *home) processes() (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		environment, err := os.ReadFile(path) // one that has ended has none
		if err == nil && bytes.Contains(environment, []byte("TMPDIR="+h.file("tmp")+"\x00")) {
			pids = append(pids, filepath.Base(filepath.Dir(path)))
		}
	}
	return pids
}

func quiet(c *exec.Cmd) error {
	_, err := output(c)
	return err
}

// output is what a command prints to its standard output; the error has the rest.
func output(c *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}
