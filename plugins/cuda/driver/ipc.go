package driver

// #include <cuda.h>
import "C"

import (
	"unsafe"

	"gorgonia.org/cu"
)

// Handle names memory of AllocShared to other processes on the machine.
type Handle [C.CU_IPC_HANDLE_SIZE]byte

// AllocShared takes memory of the card that other processes can be given, by its Handle: that of pools cannot be. It
// is in no stream's order, and takes long. It holds anything.
func (c *Context) AllocShared(bytes uint64) (p Pointer, h Handle, err error) {
	return p, h, c.during(func() error {
		at, err := cu.MemAlloc(int64(bytes))
		if err != nil {
			return sized(wrap("cuMemAlloc", err), bytes)
		}
		var raw C.CUipcMemHandle
		if err := failed("cuIpcGetMemHandle", C.cuIpcGetMemHandle(&raw, C.CUdeviceptr(at))); err != nil {
			_ = cu.MemFree(at) // the other error is the one to tell
			return err
		}
		p, h = Pointer(at), *(*Handle)(unsafe.Pointer(&raw))
		return nil
	})
}

// FreeShared gives it back. Other processes must have closed it.
func (c *Context) FreeShared(p Pointer) error {
	if p == 0 {
		return nil
	}
	return c.during(func() error { return wrap("cuMemFree", cu.MemFree(cu.DevicePtr(p))) })
}

// OpenShared is another process's memory, at an address here, until CloseShared. It is the same
// card's, or that of one which this one Reaches.
func (c *Context) OpenShared(h Handle) (p Pointer, err error) {
	return p, c.during(func() error {
		var at C.CUdeviceptr
		raw := *(*C.CUipcMemHandle)(unsafe.Pointer(&h))
		err := failed("cuIpcOpenMemHandle", C.cuIpcOpenMemHandle(&at, raw, C.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS))
		p = Pointer(at)
		return err
	})
}

// CloseShared ends the use of it.
func (c *Context) CloseShared(p Pointer) error {
	return c.during(func() error { return failed("cuIpcCloseMemHandle", C.cuIpcCloseMemHandle(C.CUdeviceptr(p))) })
}

// Reaches tells whether copies here reach the memory of a card without the host. It is this one, or another that the
// process sees.
func (c *Context) Reaches(uuid string) (bool, error) {
	if uuid == c.Card.UUID {
		return true, nil
	}
	cards, err := Cards()
	if err != nil {
		return false, err
	}
	for _, other := range cards {
		if other.UUID == uuid {
			can, err := c.device.CanAccessPeer(cu.Device(other.Ordinal))
			return can != 0, wrap("cuDeviceCanAccessPeer", err)
		}
	}
	return false, nil
}
