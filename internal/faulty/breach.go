//go:build unix

package faulty

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"

	"github.com/penstock-db/penstock/plugins/arena"
)

// breaches are what a hostile device tries beside its work. An error says why it did not come to that.
var breaches = map[action]func(*arena.Arena) error{
	scribble: writeEverywhere,
	flood:    func(*arena.Arena) error { go floodLog(); return nil },
	fork:     leaveChild,
	dial:     func(*arena.Arena) error { return openSockets() },
	pry:      func(*arena.Arena) error { _, err := os.ReadFile("/etc/passwd"); return err },
	trace:    func(*arena.Arena) error { return traceHost() },
	remap:    empty,
	flush:    func(*arena.Arena) error { return flushDisks() },
}

// breach tries one, and tells standard error how it ended.
func (s *script) breach(a action) {
	try, ok := breaches[a]
	if !ok {
		return
	}
	how := "done"
	if err := try(s.arena.Load()); err != nil {
		how = err.Error()
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n", a, how)
}

// writeEverywhere fills the arena, whatever lies there.
func writeEverywhere(a *arena.Arena) error {
	bytes, err := a.Bytes(arena.Range{Length: a.Size()})
	for i := range bytes {
		bytes[i] = 0xff
	}
	return err
}

func floodLog() {
	line := strings.Repeat("flood ", 1000) + "\n"
	for {
		fmt.Fprint(os.Stderr, line)
	}
}

// leaveChild has a child of a child in a session of its own.
func leaveChild(*arena.Arena) error {
	return exec.Command("sh", "-c", "setsid sleep 86399 < /dev/null > /dev/null 2>&1 &").Run()
}

// openSockets wants to be called from outside, and to call.
func openSockets() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		return listener.Close()
	}
	conn, failed := net.Dial("tcp", "127.0.0.1:1")
	if failed == nil {
		return conn.Close()
	}
	return errors.Join(err, failed)
}

// empty has the arena be empty, at which the host would end when it next looks. A plugin that keeps what it was handed
// need not open it: that it cannot shrink then either is the arena's own test.
func empty(a *arena.Arena) error {
	file, err := os.OpenFile(a.Ref().Path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Truncate(0), file.Close())
}
