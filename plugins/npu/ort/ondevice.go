package ort

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"
)

// BindOutputToDevice leaves an output in the memory of the session's provider, which allocates it there.
// Feed, after the run, makes it an input: what goes from run to run does not cross to the host. Runs that it
// is not fed in between write the same memory.
func (b *Binding) BindOutputToDevice(name string) error {
	if b.binding == 0 {
		return ErrClosed
	}
	r, memory := b.session.runtime, details[b.session.provider].memory
	doing := fmt.Sprintf("binding output %s to the memory %s", name, memory)
	var info handle
	const deviceAllocator, firstDevice, defaultMemory = 0, 0, 0
	if err := r.check(r.api.CreateMemoryInfo(memory, deviceAllocator, firstDevice, defaultMemory, &info),
		doing); err != nil {
		return err
	}
	defer r.api.ReleaseMemoryInfo(info)
	if err := r.check(r.api.BindOutputToDevice(b.binding, name, info), doing); err != nil {
		return err
	}
	b.order(name)
	b.hold("output "+name, new(runtime.Pinner))
	return nil
}

// Feed has an input read what the last run left at an output, and the next run leave that output
// in new memory of the device.
func (b *Binding) Feed(output, input string) error {
	if b.binding == 0 {
		return ErrClosed
	}
	if err := b.move(output, input, fmt.Sprintf("feeding output %s to input %s", output, input)); err != nil {
		return err
	}
	return b.BindOutputToDevice(output)
}

func (b *Binding) move(output, input, doing string) error {
	r := b.session.runtime
	values, err := b.outputValues(doing)
	if err != nil {
		return err
	}
	defer func() {
		for _, value := range values {
			r.api.ReleaseValue(value)
		}
	}()
	i := slices.Index(b.outputs, output)
	if i < 0 || i >= len(values) {
		return &Error{r.path, doing, InvalidArgument, "no such output is bound", "bind it to the device, and run"}
	}
	if err := r.check(r.api.BindInput(b.binding, input, values[i]), doing); err != nil {
		return err
	}
	b.hold("input "+input, b.pins["output "+output])
	delete(b.pins, "output "+output)
	return nil
}

// outputValues are for the caller to release.
func (b *Binding) outputValues(doing string) ([]handle, error) {
	r := b.session.runtime
	var allocator handle
	if err := r.check(r.api.GetDefaultAllocator(&allocator), doing); err != nil {
		return nil, err
	}
	var first unsafe.Pointer
	var count uint
	if err := r.check(r.api.GetBoundOutputValues(b.binding, allocator, &first, &count), doing); err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, nil
	}
	all := slices.Clone(unsafe.Slice((*handle)(first), count))
	return all, r.check(r.api.AllocatorFree(allocator, first), doing)
}
