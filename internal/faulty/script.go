package faulty

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/arena"
)

// action is what goes wrong.
type action string

const (
	die    action = "die"
	hang   action = "hang"
	lie    action = "lie"
	exceed action = "exceed"
	stall  action = "stall"
	swell  action = "swell"
	spin   action = "spin"

	misstate action = "misstate"
	scribble action = "scribble"
	flood    action = "flood"
	fork     action = "fork"
	dial     action = "dial"
	pry      action = "pry"
	trace    action = "trace"
	remap    action = "remap"
	flush    action = "flush"
)

var (
	actions = []string{string(die), string(hang), string(lie), string(exceed), string(stall), string(swell),
		string(spin),
		string(misstate), string(scribble), string(flood), string(fork), string(dial), string(pry), string(trace),
		string(remap), string(flush)}
	calls = []string{"describe", "open", "compile", "close"}
	// in the order of plugins.Op
	commands = []string{"upload", "evict", "init", "step", "apply", "iterate", "call", "settle", "restore", "gather",
		"deliver", "pass"}
)

// fault is one action at the number-th command of a name; 0: at every one.
type fault struct {
	action  action
	command string
	number  int
}

// ScriptError is a fault that New does not understand.
type ScriptError struct {
	Fault    string
	Expected string
}

func (e *ScriptError) Error() string {
	return fmt.Sprintf("fault %q: expected %s", e.Fault, e.Expected)
}

func parse(script string) ([]fault, error) {
	var faults []fault
	for text := range strings.SplitSeq(script, ";") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		f, err := parseFault(text)
		if err != nil {
			return nil, err
		}
		faults = append(faults, f)
	}
	return faults, nil
}

func parseFault(text string) (fault, error) {
	bad := func(expected string) (fault, error) { return fault{}, &ScriptError{text, expected} }
	words := strings.Fields(text)
	if len(words) < 3 || words[1] != "at" {
		return bad("ACTION at COMMAND")
	}
	f := fault{action: action(words[0]), number: 1}
	if !slices.Contains(actions, words[0]) {
		return bad("one of the actions " + strings.Join(actions, ", "))
	}
	words = words[2:]
	if words[0] == "every" {
		f.number, words = 0, words[1:]
	}
	if len(words) == 0 || !slices.Contains(slices.Concat(calls, commands), words[0]) {
		return bad("one of the commands " + strings.Join(slices.Concat(calls, commands), ", "))
	}
	f.command, words = words[0], words[1:]
	if f.needsEvents() && slices.Contains(calls, f.command) {
		return bad("die, hang or the like at a call that gives no events")
	}
	if len(words) == 0 {
		return f, nil
	}
	number, err := strconv.Atoi(words[0])
	if err != nil || number < 1 || len(words) > 1 || f.number == 0 {
		return bad("a number from 1 at the end, or every")
	}
	f.number = number
	return f, nil
}

// needsEvents tells whether the fault is one of what a command is answered.
func (f fault) needsEvents() bool {
	switch f.action {
	case lie:
		return f.command != "describe"
	case misstate:
		return f.command != "compile"
	case exceed, stall:
		return true
	}
	return false
}

// script counts the commands of a device and says what goes wrong with each.
type script struct {
	faults []fault
	arena  atomic.Pointer[arena.Arena] // of the last session; nil: there is none yet

	mu   sync.Mutex // protects seen
	seen map[string]int
}

// next is the action for the command of this name that is met now, or "".
func (s *script) next(command string) action {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[command]++
	for _, f := range s.faults {
		if f.command == command && (f.number == 0 || f.number == s.seen[command]) {
			return f.action
		}
	}
	return ""
}
