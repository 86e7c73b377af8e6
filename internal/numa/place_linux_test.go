package numa

import (
	"errors"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapped is memory of so many pages, as the system gives it out.
func mapped(t *testing.T, pages int) []byte {
	t.Helper()
	memory, err := unix.Mmap(-1, 0, pages*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	return memory
}

// policy is what the system says of the memory at an address: its mode, and the preferred nodes up to 63.
func policy(t *testing.T, at *byte) (mode int32, nodes uint64) {
	t.Helper()
	const ofAddress = 1 << 1 // MPOL_F_ADDR
	wide := make([]uint64, 1024/64)
	_, _, errno := unix.Syscall6(unix.SYS_GET_MEMPOLICY, uintptr(unsafe.Pointer(&mode)),
		uintptr(unsafe.Pointer(&wide[0])), 1024, uintptr(unsafe.Pointer(at)), ofAddress, 0)
	if errno != 0 {
		t.Skipf("the system does not tell: %v", errno)
	}
	return mode, wide[0]
}

// The whole pages of what is placed are on the node, and no others.
func TestPlace_WholePages(t *testing.T) {
	machine := This()
	if len(machine.Nodes) == 0 {
		t.Skip("the system tells of no nodes")
	}
	node := machine.Nodes[0].Number
	page := os.Getpagesize()
	memory := mapped(t, 5)
	err := machine.Place(memory[page+1:4*page+1], node)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, placed := range []bool{false, false, true, true, false} {
		mode, nodes := policy(t, &memory[i*page])
		if there := mode == mpolPreferred && nodes == 1<<node; there != placed {
			t.Errorf("page %d: mode %d, nodes %b; placed %t", i, mode, nodes, placed)
		}
	}
}

func TestPlace_NoWholePage(t *testing.T) {
	memory := mapped(t, 2)
	for _, some := range [][]byte{nil, memory[:0], memory[1:os.Getpagesize()], memory[1 : 2*os.Getpagesize()-1]} {
		if err := place(some, 1<<20); err != nil { // there is no such node
			t.Error(err)
		}
	}
}

func TestPlace_NoSuchNode(t *testing.T) {
	if err := place(mapped(t, 1), 700); err == nil {
		t.Error("placed on node 700")
	}
}
