package driver

import (
	"errors"
	"unsafe"

	"gorgonia.org/cu"
)

// CopyIn copies to the card. The host's memory is to stay as it is until the stream has passed. From memory that is
// pinned (Register, AllocPinned) it goes on while kernels run; from other memory the driver copies it first.
func (s Stream) CopyIn(to Pointer, from []byte) error {
	if len(from) == 0 {
		return nil
	}
	return wrap("cuMemcpyHtoDAsync", cu.MemcpyHtoDAsync(cu.DevicePtr(to), unsafe.Pointer(&from[0]), int64(len(from)),
		s.stream))
}

// CopyOut copies from the card. What it writes may be read once the stream has passed.
func (s Stream) CopyOut(to []byte, from Pointer) error {
	if len(to) == 0 {
		return nil
	}
	return wrap("cuMemcpyDtoHAsync", cu.MemcpyDtoHAsync(unsafe.Pointer(&to[0]), cu.DevicePtr(from), int64(len(to)),
		s.stream))
}

// Copy copies on the card, or from another one that Context.Peer reaches.
func (s Stream) Copy(to, from Pointer, bytes uint64) error {
	if bytes == 0 {
		return nil
	}
	return wrap("cuMemcpyAsync", cu.MemcpyAsync(cu.DevicePtr(to), cu.DevicePtr(from), int64(bytes), s.stream))
}

// CopyPeer copies from one card to another, through the host if there is no shorter way.
func (s Stream) CopyPeer(to Pointer, at *Context, from Pointer, of *Context, bytes uint64) error {
	if bytes == 0 {
		return nil
	}
	return wrap("cuMemcpyPeerAsync",
		cu.MemcpyPeerAsync(cu.DevicePtr(to), at.context, cu.DevicePtr(from), of.context, int64(bytes), s.stream))
}

// Fill8 writes n bytes.
func (s Stream) Fill8(to Pointer, value byte, n uint64) error {
	if n == 0 {
		return nil
	}
	return wrap("cuMemsetD8Async", cu.MemsetD8Async(cu.DevicePtr(to), value, int64(n), s.stream))
}

// Fill32 writes n values of 4 bytes.
func (s Stream) Fill32(to Pointer, value uint32, n uint64) error {
	if n == 0 {
		return nil
	}
	return wrap("cuMemsetD32Async", cu.MemsetD32Async(cu.DevicePtr(to), uint(value), int64(n), s.stream))
}

// Fill64 writes n values of 8 bytes. Where the halves of one differ it writes one, and then again and again as many as
// there are.
func (s Stream) Fill64(to Pointer, value, n uint64) error {
	low, high := uint32(value), uint32(value>>32)
	if low == high || n == 0 {
		return s.Fill32(to, low, 2*n)
	}
	if err := errors.Join(s.Fill32(to, low, 1), s.Fill32(to+4, high, 1)); err != nil {
		return err
	}
	for there := uint64(1); there < n; there *= 2 {
		if err := s.Copy(to+Pointer(8*there), to, 8*min(there, n-there)); err != nil {
			return err
		}
	}
	return nil
}
