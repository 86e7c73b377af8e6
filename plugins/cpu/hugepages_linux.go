package cpu

import "golang.org/x/sys/unix"

// adviseHuge asks for huge pages; a system that has none goes on without.
func adviseHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
