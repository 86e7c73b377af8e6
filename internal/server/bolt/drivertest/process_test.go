package drivertest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
)

// endless takes longer than any test waits.
const endless = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 100000) AS c WITH a WHERE a < 0 RETURN count(a) AS n"

// build makes the program once.
var build = sync.OnceValues(func() (program string, err error) {
	dir, err := os.MkdirTemp("", "drivertest-")
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, "penstock")
	compile := exec.Command("go", "build", fmt.Sprintf("-race=%t", race), "-o", program, "./cmd/penstock")
	compile.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if program, err := build(); err == nil {
		os.RemoveAll(filepath.Dir(program))
	}
	os.Exit(status)
}

// process is a running penstock serve.
type process struct {
	t       testing.TB
	dir     string
	command *exec.Cmd
	address string
}

// server serves an empty graph for the time of the test and returns the address.
func server(t testing.TB) string {
	t.Helper()
	p := serve(t, t.TempDir(), "--create", "--graph", "g")
	t.Cleanup(func() { p.stop(syscall.SIGTERM, 130) })
	return p.address
}

// serve starts penstock serve on a database, and waits until it listens.
func serve(t testing.TB, dir string, flags ...string) *process {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, dir: dir}
	p.command = exec.Command(program, append([]string{"serve", "--db", filepath.Join(dir, "db"), "--listen",
		"127.0.0.1:0"}, flags...)...)
	log, stderr, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.command.Stderr = stderr
	err = p.command.Start()
	stderr.Close()
	if err != nil {
		t.Fatal(err)
	}
	p.address = p.listening(bufio.NewScanner(log))
	go func() {
		_, _ = io.Copy(io.Discard, log)
		log.Close()
	}()
	return p
}

var serving = regexp.MustCompile(`msg=serving address=(\S+)`)

// listening is the address that the log tells.
func (p *process) listening(log *bufio.Scanner) string {
	p.t.Helper()
	text := ""
	for log.Scan() {
		if found := serving.FindStringSubmatch(log.Text()); found != nil {
			return found[1]
		}
		text += log.Text() + "\n"
	}
	p.t.Fatalf("the server has ended: %v\n%s", p.command.Wait(), text)
	return ""
}

// stop ends the process by a signal, after which it must exit with that status. After a data
// race it would be 66.
func (p *process) stop(signal os.Signal, status int) {
	p.t.Helper()
	if err := p.command.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	_ = p.command.Wait()
	if got := p.command.ProcessState.ExitCode(); got != status {
		p.t.Errorf("exit status %d, not %d", got, status)
	}
}
