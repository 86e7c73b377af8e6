package numa

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Of mbind(2), in numaif.h: a node that is preferred, and pages that are there already move.
const (
	mpolPreferred = 1
	mpolMove      = 1 << 1
)

// place prefers the node: where its memory is full, another's is better than none. Pages that other processes have
// mapped too do not move.
func place(memory []byte, node int) error {
	pages := whole(memory, os.Getpagesize())
	if len(pages) == 0 {
		return nil
	}
	const bits = 64
	nodes := make([]uint64, node/bits+1)
	nodes[node/bits] = 1 << (node % bits)
	_, _, errno := unix.Syscall6(unix.SYS_MBIND, uintptr(unsafe.Pointer(&pages[0])), uintptr(len(pages)), mpolPreferred,
		uintptr(unsafe.Pointer(&nodes[0])), uintptr(len(nodes)*bits+1), mpolMove) // the system takes one bit less
	if errno != 0 {
		return fmt.Errorf("place %d bytes on node %d: %w", len(pages), node, errno)
	}
	return nil
}

// whole is the whole pages within memory.
func whole(memory []byte, page int) []byte {
	if len(memory) == 0 {
		return nil
	}
	at := int(uintptr(unsafe.Pointer(&memory[0])) % uintptr(page))
	from := (page - at) % page
	to := (at+len(memory))/page*page - at
	if from >= to {
		return nil
	}
	return memory[from:to]
}
