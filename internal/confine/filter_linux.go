//go:build amd64 || arm64

package confine

import (
	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/confine/stage"
)

// Offsets in struct seccomp_data. Arguments are of 64 bits, the lower half first on both processors.
const (
	callAt      = 0
	processorAt = 4
	argumentsAt = 16
)

// What a filter answers.
const (
	allowCall = unix.SECCOMP_RET_ALLOW
	refuse    = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	pretend   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS) // as if the kernel were older: libraries know what to do then
	end       = unix.SECCOMP_RET_KILL_PROCESS
)

// filter is a program for seccomp, and which of its constants are the number of the process.
//
// It is a list of rules, each about one system call: it skips its own instructions when the call is another one, and
// answers else. What no rule is about is allowed.
type filter struct {
	code   []stage.Instruction
	ownPID []uint64
}

func (f *filter) add(code uint16, k uint32, jumps ...uint8) {
	i := stage.Instruction{Code: code, K: k}
	if len(jumps) == 2 {
		i.Jt, i.Jf = jumps[0], jumps[1]
	}
	f.code = append(f.code, i)
}

const (
	load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	least  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	anyBit = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	mask   = unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
	answer = unix.BPF_RET | unix.BPF_K
)

// newFilter begins with calls as other processors make them, which have other numbers.
func newFilter() *filter {
	f := &filter{}
	f.add(load, processorAt)
	f.add(equal, processor, 1, 0)
	f.add(answer, end)
	f.add(load, callAt)
	f.add(least, foreignCalls, 0, 1)
	f.add(answer, pretend)
	return f
}

// rule answers a call by what body does, which must answer in any case.
func (f *filter) rule(call uint32, body func()) {
	at := len(f.code)
	f.add(equal, call, 0, 0)
	body()
	f.code[at].Jf = uint8(len(f.code) - at - 1)
}

// always gives one answer to a call.
func (f *filter) always(call, to uint32) { f.rule(call, func() { f.add(answer, to) }) }

// argument loads the lower half of the n-th argument of the call.
func (f *filter) argument(n uint32) { f.add(load, argumentsAt+8*n) }

// onlyIf refuses what is not equal to k, and goes on with what is.
func (f *filter) onlyIf(k uint32) {
	f.add(equal, k, 1, 0)
	f.add(answer, refuse)
}

// onlyItself allows a call whose first argument is the number of this process, or one of others.
func (f *filter) onlyItself(call uint32, others ...uint32) {
	f.rule(call, func() { f.ifItself(0, others...) })
}

// ifItself ends a rule: it allows a call whose n-th argument is the number of this process, or one of others.
func (f *filter) ifItself(n uint32, others ...uint32) {
	f.argument(n)
	for _, k := range others {
		f.add(equal, k, 0, 1)
		f.add(answer, allowCall)
	}
	f.ownPID = append(f.ownPID, uint64(len(f.code)))
	f.onlyIf(0)
	f.add(answer, allowCall)
}

// done is the filter with its last word.
func (f *filter) done() ([]stage.Instruction, []uint64) {
	f.add(answer, allowCall)
	return f.code, f.ownPID
}
