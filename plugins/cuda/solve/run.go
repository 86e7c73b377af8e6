package solve

import (
	"context"
	"errors"
	"runtime"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// run is a solver under way.
type run struct {
	Job
	ctx    context.Context
	cover  driver.Pointer
	pieces []driver.Pointer // of the scratch
}

// begin cuts the scratch into pieces.
func begin(ctx context.Context, job Job, pieces []uint64) *run {
	r := &run{Job: job, ctx: ctx}
	next := job.Scratch
	for _, bytes := range pieces {
		r.pieces = append(r.pieces, next)
		next += driver.Pointer(align(bytes))
	}
	return r
}

// layCover lays the cover out in the first piece, if there is room for it.
func (r *run) layCover() (bool, error) {
	r.cover = r.pieces[0]
	words := coverOf(r.Chunks).words(r.cover)
	if 8*uint64(len(words)) > coverBytes(r.n()) {
		return false, nil
	}
	err := errors.Join(r.Stream.CopyIn(r.cover, bytesOf(words)), r.wait())
	runtime.KeepAlive(words)
	return true, err
}

// scratch is what pieces take.
func scratch(pieces []uint64) (all uint64) {
	for _, bytes := range pieces {
		all += align(bytes)
	}
	return all
}

// align is how many bytes are taken for so many, so that what follows begins at a line of memory.
func align(bytes uint64) uint64 { return (bytes + 255) &^ 255 }

// wait waits for all that is in the stream, or for the context to end.
func (r *run) wait() error { return driver.Await(r.ctx, r.Stream.Query) }

// launch puts a kernel into the stream, of as many blocks as have something to do for so many threads, and as
// the card runs at a time.
func (r *run) launch(kernel string, threads uint64, args ...uint64) error {
	at := uint64(max(1, r.Card.Multiprocessors*r.Card.MaxThreadsPerMultiprocessor/kernels.Block))
	blocks := max(1, min((threads+kernels.Block-1)/kernels.Block, at))
	return r.Kernels.Launch(r.Stream, kernel, int(blocks), args...)
}

// whole is a launch of all that the card runs at a time.
const whole = 1 << 62

// n is the number of vertices.
func (r *run) n() uint64 { return r.Program.Vertices }

func (r *run) bound() uint64 { return uint64(r.Spec.Bound(r.n())) }

// edges is how many there are in all lists.
func (r *run) edges() (all uint64) {
	for _, c := range r.Chunks {
		all += c.Edges
	}
	return all
}

// setBytes is what a set of vertices takes.
func setBytes(vertices uint64) uint64 { return 8 * uint64(bitmap.Words(int(vertices))) }

// get reads a structure from the card, once all that is in the stream is done.
func get[T any](r *run, from driver.Pointer) (T, error) {
	var x T
	answer := r.Answer[:unsafe.Sizeof(x)]
	if err := errors.Join(r.Stream.CopyOut(answer, from), r.wait()); err != nil {
		return x, err
	}
	return *(*T)(unsafe.Pointer(unsafe.SliceData(answer))), nil
}

// put writes a structure to the card.
func put[T any](r *run, to driver.Pointer, x T) error {
	answer := r.Answer[:unsafe.Sizeof(x)]
	*(*T)(unsafe.Pointer(unsafe.SliceData(answer))) = x
	return errors.Join(r.Stream.CopyIn(to, answer), r.wait())
}

// bytesOf is the memory of words.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}
