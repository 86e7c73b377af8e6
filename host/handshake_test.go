package host

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// killedVariable names a folder with a file for each time that this test program, as a plugin, is to be killed before
// it shakes hands.
var killedVariable = ownVariable("KILLED")

// beKilled says its number and waits, if there is still a file.
func beKilled() {
	files, _ := filepath.Glob(filepath.Join(os.Getenv(killedVariable), "*"))
	if os.Getenv(killedVariable) == "" || len(files) == 0 {
		return
	}
	os.Remove(files[0])
	number, err := os.Readlink("/proc/self") // as the host counts: in a namespace of its own it is 1
	if err != nil {
		number = fmt.Sprint(os.Getpid())
	}
	fmt.Fprintf(os.Stderr, "pid %s\n", number)
	time.Sleep(time.Hour)
}

// killing kills the process that writes its number to it.
type killing struct{ text bytes.Buffer }

func (k *killing) Write(b []byte) (int, error) {
	k.text.Write(b)
	var pid int
	if n, _ := fmt.Sscanf(k.text.String(), "pid %d\n", &pid); n == 1 && strings.HasSuffix(k.text.String(), "\n") {
		k.text.Reset()
		syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(b), nil
}

// A plugin that is killed before it has shaken hands is started again, once, if the run is to be resumed.
func TestRun_KilledWhileItShakesHands(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 1000, true, false, false).stored(t, 2048)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		kills   int
		resume  bool
		died    bool
		notices int
	}{
		{"once", 1, true, false, 1},
		{"twice", 2, true, true, 1},
		{"once, not to be resumed", 1, false, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			processtest.Traceless(t)
			dir := t.TempDir()
			for n := range c.kills {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv(killedVariable, dir)
			var k killer
			req := Request{Algorithm: "pagerank", Device: self, Log: &killing{}, Unconfined: []string{self}} // it removes files
			if c.resume {
				req = resumable(t, req)
			}
			_, err := Run(context.Background(), snap, req, k.events())
			if (plugins.KindOf(err) == plugins.KindDied) != c.died || (err != nil) != c.died || len(k.notices) != c.notices {
				t.Errorf("error %v, notices %v", err, k.notices)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
				t.Errorf("it was not started often enough: %v", left)
			}
		})
	}
}
