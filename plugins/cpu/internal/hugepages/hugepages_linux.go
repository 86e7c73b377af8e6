package hugepages

import "golang.org/x/sys/unix"

// advise asks for huge pages; a system that has none goes on without.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
