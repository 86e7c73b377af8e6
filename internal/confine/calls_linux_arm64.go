package confine

import "golang.org/x/sys/unix"

const (
	processor    = unix.AUDIT_ARCH_AARCH64
	foreignCalls = 1 << 31 // there are none
)

// refusedHere are those that this processor has besides.
var refusedHere = []uint32{unix.SYS_KEXEC_FILE_LOAD}

// attributesHere are those that this processor has besides.
var attributesHere []uint32

// forks are calls that make a process and nothing else: clone alone does.
var forks []uint32
