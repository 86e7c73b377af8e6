package procedure

import (
	"context"
	"encoding/binary"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// run is one run of a procedure. After an error it does nothing more, and what it reads is 0: an algorithm looks
// at err only where it would not come to an end by that.
type run struct {
	Job
	ctx  context.Context
	n    uint64 // vertices
	err  error
	told float64
}

// launch puts a kernel into the stream, with about so many threads as there is work for.
func (r *run) launch(name string, threads uint64, args ...uint64) {
	r.do(func() error { return r.Kernels.Launch(r.Stream, name, threads, args...) })
}

// do puts something into the stream.
func (r *run) do(put func() error) {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err == nil {
		r.err = put()
	}
}

// scan sets to, count+1 numbers of 8 bytes, to the sums of the 4-byte ones before each.
func (r *run) scan(to, from driver.Pointer, count uint64, scratch driver.Pointer) {
	r.do(func() error { return r.Plain.Scan(r.Stream, to, from, count, scratch) })
}

// fill writes count values of 4 bytes.
func (r *run) fill(at driver.Pointer, value uint32, count uint64) {
	r.do(func() error { return r.Stream.Fill32(at, value, count) })
}

// fill64 writes count values of 8 bytes.
func (r *run) fill64(at driver.Pointer, value, count uint64) {
	r.do(func() error { return r.Stream.Fill64(at, value, count) })
}

// clear makes counters of 8 bytes zeros.
func (r *run) clear(counters ...driver.Pointer) {
	for _, c := range counters {
		r.fill(c, 0, 2)
	}
}

// read is a number on the card, once all that was put into the stream is done.
func (r *run) read(at driver.Pointer) uint64 {
	r.do(func() error { return r.Stream.CopyOut(r.Answer[:8], at) })
	if r.wait(); r.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(r.Answer)
}

// wait waits for the stream, or the end of the context.
func (r *run) wait() {
	if r.err == nil {
		r.err = driver.Await(r.ctx, r.Stream.Query)
	}
}

// tell reports progress, in steps that are worth it.
func (r *run) tell(fraction float64) {
	if r.err == nil && fraction-r.told >= 0.01 {
		r.told = fraction
		r.Tell(min(fraction, 1))
	}
}

// addresses are pointers as a kernel's parameters.
func addresses(pointers ...driver.Pointer) []uint64 {
	args := make([]uint64, len(pointers))
	for i, p := range pointers {
		args[i] = uint64(p)
	}
	return args
}
