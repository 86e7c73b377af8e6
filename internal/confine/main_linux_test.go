package confine

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// attemptVariable has this test program be a process that tries what may be refused, and says how that ended.
const attemptVariable = "PENSTOCK_CONFINE_ATTEMPT"

func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	if name := os.Getenv(attemptVariable); name != "" {
		attempts[name]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// attempts are what a process can be.
var attempts = map[string]func(){
	"calls": tryCalls, "network": tryNetwork, "processes": tryProcesses, "status": showStatus,
	"files": tryFiles, "grow": grow, "pipes": fillPipes,
}

// tell says how something ended, in a line.
func tell(what string, err error) {
	errno := syscall.Errno(0)
	if err != nil {
		errno = errnoOf(err)
	}
	fmt.Printf("%s %d\n", strings.ReplaceAll(what, " ", "_"), int(errno))
}

// within runs an attempt within walls, or, where p is nil, without, and returns how each thing ended that it told of.
func within(t *testing.T, p *Process, name string) map[string]syscall.Errno {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), attemptVariable+"="+name)
	cmd.Stderr, cmd.SysProcAttr = os.Stderr, &syscall.SysProcAttr{}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var b *Building
	if p != nil {
		p.Program, p.Args, p.Env = os.Args[0], cmd.Args, cmd.Env
		if b, err = p.Build(cmd); err != nil {
			t.Fatal(err)
		}
		defer b.Close()
	}
	begin := cmd.Start
	if b != nil {
		begin = func() error { _, err := b.Start(cmd); return err }
	}
	if err := begin(); err != nil {
		t.Fatal(err)
	}
	if b != nil {
		states, err := b.States()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range states {
			if !s.Stands {
				t.Skipf("the wall %q does not stand here: %s", s.Wall, s.Why)
			}
		}
	}
	ended := map[string]syscall.Errno{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, number, _ := strings.Cut(lines.Text(), " ")
		errno, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("it says %q", lines.Text())
		}
		ended[what] = syscall.Errno(errno)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return ended
}
