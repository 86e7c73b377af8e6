package confine

import "golang.org/x/sys/unix"

const (
	processor    = unix.AUDIT_ARCH_X86_64
	foreignCalls = 0x40000000 // of x32
)

// refusedHere are those that this processor has besides.
var refusedHere = []uint32{
	unix.SYS_MODIFY_LDT, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_USELIB, unix.SYS__SYSCTL, unix.SYS_SYSFS,
	unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE, unix.SYS_KEXEC_FILE_LOAD,
}

// attributesHere are those that this processor has besides.
var attributesHere = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES,
	unix.SYS_FUTIMESAT}

// forks are calls that make a process and nothing else.
var forks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
