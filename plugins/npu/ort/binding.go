package ort

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Binding says where a session finds its inputs and puts its outputs. It is for one goroutine at a
// time, and must be closed.
type Binding struct {
	session *Session
	binding handle
	options handle // of the run: what cancels it
	values  []handle
	pins    runtime.Pinner
}

// Bind makes a binding of nothing yet.
func (s *Session) Bind() (*Binding, error) {
	b, r := &Binding{session: s}, s.runtime
	if s.session == 0 {
		return nil, ErrClosed
	}
	if err := r.check(r.api.CreateRunOptions(&b.options), "making options"); err != nil {
		return nil, err
	}
	if err := r.check(r.api.CreateIoBinding(s.session, &b.binding), "binding memory"); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// BindInput has an input read from memory, in place.
func (b *Binding) BindInput(name string, t onnx.Type, shape []int64, memory []byte) error {
	return b.bind("input "+name, t, shape, memory, func(value handle) status {
		return b.session.runtime.api.BindInput(b.binding, name, value)
	})
}

// BindOutput has an output written to memory, in place.
func (b *Binding) BindOutput(name string, t onnx.Type, shape []int64, memory []byte) error {
	return b.bind("output "+name, t, shape, memory, func(value handle) status {
		return b.session.runtime.api.BindOutput(b.binding, name, value)
	})
}

// BindOutputToDevice leaves an output in the memory of the device named ("Cuda", "Cann", "Cpu" …), allocated
// there by the provider.
func (b *Binding) BindOutputToDevice(name, device string) error {
	r := b.session.runtime
	var info handle
	const deviceAllocator, id, defaultMemory = 0, 0, 0
	if err := r.check(r.api.CreateMemoryInfo(device, deviceAllocator, id, defaultMemory, &info), "naming the memory of "+device); err != nil {
		return err
	}
	defer r.api.ReleaseMemoryInfo(info)
	return r.check(r.api.BindOutputToDevice(b.binding, name, info), "binding output "+name)
}

func (b *Binding) bind(what string, t onnx.Type, shape []int64, memory []byte, bind func(value handle) status) error {
	if b.binding == 0 {
		return ErrClosed
	}
	value, err := b.tensor(what, t, shape, memory)
	if err != nil {
		return err
	}
	return b.session.runtime.check(bind(value), "binding "+what)
}

// tensor is a view of memory, which stays where it is until the binding is closed.
func (b *Binding) tensor(what string, t onnx.Type, shape []int64, memory []byte) (handle, error) {
	if size, ok := bytesOf(t, shape); !ok || size != uint64(len(memory)) {
		return 0, fmt.Errorf("%s: a tensor of %v %v has %d bytes, the memory given %d", what, t, shape, size, len(memory))
	}
	r := b.session.runtime
	data := unsafe.Pointer(unsafe.SliceData(memory))
	b.pins.Pin(data)
	var value handle
	err := r.check(r.api.CreateTensorWithData(r.memory, data, uint(len(memory)), shape, uint(len(shape)), int32(t), &value), "binding "+what)
	if err == nil {
		b.values = append(b.values, value)
	}
	return value, err
}

// bytesOf is false where there is no such type, or a size beyond any machine's.
func bytesOf(t onnx.Type, shape []int64) (size uint64, ok bool) {
	size = t.Size()
	for _, d := range shape {
		if d < 0 || d > 0 && size > 1<<62/uint64(d) {
			return 0, false
		}
		size *= uint64(d)
	}
	return size, t.Size() > 0
}

// Close frees the binding and lets go of the memory.
func (b *Binding) Close() {
	api := &b.session.runtime.api
	if b.binding != 0 {
		api.ReleaseIoBinding(b.binding)
	}
	for _, value := range b.values {
		api.ReleaseValue(value)
	}
	if b.options != 0 {
		api.ReleaseRunOptions(b.options)
	}
	b.pins.Unpin()
	b.binding, b.options, b.values = 0, 0, nil
}
