package ptxtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Kernel is what a thread or a block of a kernel takes on an architecture.
type Kernel struct {
	Name, Architecture string
	Registers          int // of a thread
	Shared             int // bytes of a block
	Stack, Spilled     int // bytes of a thread, in the card's memory
}

// What every card has for a block, without being asked for more.
const (
	threads         = 256
	registers       = 64 << 10
	registersAtOnce = 8 // are given to a thread
	sharedMemory    = 48 << 10
)

// fits tells what of a kernel is more than there is. Nothing is to lie on the stack: an access to it takes as long as
// one to the graph.
func (k Kernel) fits() error {
	given := (k.Registers + registersAtOnce - 1) / registersAtOnce * registersAtOnce
	if threads*given <= registers && k.Shared <= sharedMemory && k.Stack == 0 && k.Spilled == 0 {
		return nil
	}
	return fmt.Errorf("a block does not fit, or a thread has something on the stack: %+v", k)
}

// What ptxas -v says of a kernel: its name, then its stack, then the others.
var (
	entry = regexp.MustCompile(`Compiling entry function '(\w+)' for '(\w+)'`)
	stack = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	used  = regexp.MustCompile(`Used (\d+) registers(?:.* (\d+) bytes smem)?`)
)

// parse finds the kernels in what ptxas -v has said. Of functions that kernels call it says no more than their
// stack, which is then the kernel's as well.
func parse(said string) (all []Kernel) {
	var k Kernel
	for line := range strings.Lines(said) {
		if m := entry.FindStringSubmatch(line); m != nil {
			k = Kernel{Name: m[1], Architecture: m[2]}
		} else if m := stack.FindStringSubmatch(line); m != nil {
			k.Stack, k.Spilled = k.Stack+number(m[1]), k.Spilled+number(m[2])+number(m[3])
		} else if m := used.FindStringSubmatch(line); m != nil {
			k.Registers, k.Shared = number(m[1]), number(m[2])
			all = append(all, k)
		}
	}
	return all
}

// number is 0 where nothing was said.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
