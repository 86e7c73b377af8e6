package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/penstock-db/penstock/internal/cli/clitest"
	"github.com/penstock-db/penstock/internal/long"
)

func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	testscript.Main(m, map[string]func(){"penstock": main})
}

// TestScripts runs every command as a user does; each script is one story.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	check(t, err)
	testscript.Run(t, testscript.Params{
		Files: long.Raced(t, scripts, 16),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"interrupted": clitest.Interrupted, "killedat": killedAt, "waitfor": waitFor, "flipbit": flipBit, "flip": flip,
			"waitsocket": waitSocket, "gzip": compress, "usage": clitest.Usage,
			"listening": listening, "static": static,
		},
		Setup: func(env *testscript.Env) error {
			examples, err := filepath.Abs("../../examples")
			if err != nil {
				return err
			}
			env.Setenv("EXAMPLES", examples)
			if err := clitest.Environ(env); err != nil {
				return err
			}
			port, err := freePort()
			if err != nil {
				return err
			}
			env.Setenv("PORT", port)
			env.Setenv("PENSTOCK_PLUGIN_DIR", filepath.Join(env.WorkDir, "plugins"))
			return nil
		},
		Condition: clitest.Condition,
	})
}

// killedAt runs a command and kills it, by SIGKILL, once a file of that pattern is there.
func killedAt(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(
		ts.Exec(
			"sh", append(
				[]string{"-c", `there=$1; shift; "$@" & pid=$!; until test -e $there; do sleep 0.02; done; kill -9 $pid; wait $pid; test $? = 137`, "sh"}, args...)...))
}

// freePort is a port of this machine that nobody listens on.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// waits is how often, every 20 ms, is looked for what another process is to do: for a minute at least.
const waits = 3000

// listening waits until somebody listens on an address.
func listening(ts *testscript.TestScript, _ bool, args []string) {
	for range waits {
		if conn, err := net.Dial("tcp", args[0]); err == nil {
			conn.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("nobody listens on %s", args[0])
}

// static hands out a folder by HTTP, and puts its URL into a variable.
func static(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[0]))))
	ts.Defer(server.Close)
	ts.Setenv(args[1], server.URL)
}

// waitFor waits until another process holds the lock file.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	for range waits {
		if text, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && len(text) > 0 && running(string(text)) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("nobody holds %s", args[0])
}

// running says whether pid names a process.
func running(pid string) bool {
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	return err == nil && syscall.Kill(n, 0) == nil
}

// flipBit flips one bit in the middle of the largest stored value: a chunk.
func flipBit(ts *testscript.TestScript, _ bool, args []string) {
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*.vlog"))
	ts.Check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		ts.Check(err)
		if end := len(bytes.TrimRight(text, "\x00")); end > 1<<16 {
			text[end/2] ^= 1
			ts.Check(os.WriteFile(file, text, 0o600))
			return
		}
	}
	ts.Fatalf("no value log of any size among %v", files)
}

// flip flips one bit in the middle of a file.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	text[len(text)/2] ^= 1
	ts.Check(os.WriteFile(path, text, 0o600))
}

// waitSocket waits until somebody listens there.
func waitSocket(ts *testscript.TestScript, _ bool, args []string) {
	for range waits {
		if conn, err := net.Dial("unix", ts.MkAbs(args[0])); err == nil {
			conn.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("nobody listens at %s", args[0])
}

// compress gzips files in place, as gzip(1) does.
func compress(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write([]byte(ts.ReadFile(name)))
		ts.Check(errors.Join(err, w.Close(), os.WriteFile(ts.MkAbs(name+".gz"), packed.Bytes(), 0o600)))
	}
}
