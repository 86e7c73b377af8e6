package ort

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Binding says where a session finds its inputs and puts its outputs. It is for one goroutine at a
// time, and must be closed. What is bound again takes the place of what was bound before.
type Binding struct {
	session *Session
	binding handle
	options handle                     // of the run: what cancels it
	pins    map[string]*runtime.Pinner // Go's memory that the library holds, by what it is bound to
	outputs []string                   // in the library's order
}

// Bind makes a binding of nothing yet.
func (s *Session) Bind() (*Binding, error) {
	if s.session == 0 {
		return nil, ErrClosed
	}
	b, r := &Binding{session: s, pins: map[string]*runtime.Pinner{}}, s.runtime
	if err := r.check(r.api.CreateRunOptions(&b.options), "making options"); err != nil {
		return nil, err
	}
	if err := r.check(r.api.CreateIoBinding(s.session, &b.binding), "binding memory"); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// BindInput has an input read from memory: in place by a provider that computes there, and as it is now, copied, by one
// that has memory of its own.
func (b *Binding) BindInput(name string, t onnx.Type, shape []int64, memory []byte) error {
	return b.bind("input "+name, t, shape, memory, func(value handle) status {
		return b.session.runtime.api.BindInput(b.binding, name, value)
	})
}

// BindOutput has an output written to memory, in place.
func (b *Binding) BindOutput(name string, t onnx.Type, shape []int64, memory []byte) error {
	b.order(name)
	return b.bind("output "+name, t, shape, memory, func(value handle) status {
		return b.session.runtime.api.BindOutput(b.binding, name, value)
	})
}

// order keeps the library's: where an output was first bound.
func (b *Binding) order(name string) {
	if !slices.Contains(b.outputs, name) {
		b.outputs = append(b.outputs, name)
	}
}

func (b *Binding) bind(what string, t onnx.Type, shape []int64, memory []byte, bind func(value handle) status) error {
	if b.binding == 0 {
		return ErrClosed
	}
	if size, ok := bytesOf(t, shape); !ok || size != uint64(len(memory)) {
		return b.misfit(what, t, shape, memory)
	}
	r, data := b.session.runtime, unsafe.Pointer(unsafe.SliceData(memory))
	pin := new(runtime.Pinner)
	pin.Pin(data)
	var value handle
	err := r.check(r.api.CreateTensorWithData(r.memory, data, uint(len(memory)), shape, uint(len(shape)), int32(t),
		&value), "binding "+what)
	if err == nil {
		err = r.check(bind(value), "binding "+what)
		r.api.ReleaseValue(value) // the binding has its own
	}
	if err != nil {
		pin.Unpin()
		return err
	}
	b.hold(what, pin)
	return nil
}

func (b *Binding) misfit(what string, t onnx.Type, shape []int64, memory []byte) error {
	return &Error{b.session.runtime.path, "binding " + what, InvalidArgument,
		fmt.Sprintf("%d bytes of memory were given for a tensor of %v %v", len(memory), t, shape),
		"give as many as the tensor takes"}
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

// hold lets go of the memory that was bound before.
func (b *Binding) hold(what string, pin *runtime.Pinner) {
	if before := b.pins[what]; before != nil {
		before.Unpin()
	}
	b.pins[what] = pin
}

// Close frees the binding and lets go of the memory.
func (b *Binding) Close() {
	api := &b.session.runtime.api
	if b.binding != 0 {
		api.ReleaseIoBinding(b.binding)
	}
	if b.options != 0 {
		api.ReleaseRunOptions(b.options)
	}
	for _, pin := range b.pins {
		pin.Unpin()
	}
	b.binding, b.options, b.pins = 0, 0, nil
}
