package solve

import (
	"context"
	"errors"
	"unsafe"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// nearFar solves by near and far (solve_nearfar.cuh), of one of the program's edge columns.
type nearFar struct{ column int }

func (nearFar) Name() string { return "shortest paths by near and far" }

func (s nearFar) Scratch(vertices uint64) uint64 { return scratch(s.pieces(vertices)) }

// pieces are the cover, kernels.NearFar, two lists, the sets listed and far, and rows.
func (nearFar) pieces(n uint64) []uint64 {
	return []uint64{coverBytes(n), uint64(unsafe.Sizeof(kernels.NearFar{})), 8 * n, setBytes(n), setBytes(n),
		kernels.LongRowsBytes(n)}
}

// paths is a nearFar under way.
type paths struct {
	*run
	column                       uint64
	at, lists, listed, far, rows driver.Pointer
	now                          kernels.NearFar // as the host has read it
}

func (s nearFar) Run(ctx context.Context, job Job) (solved bool, err error) {
	r := begin(ctx, job, s.pieces(job.Program.Vertices))
	if ok, err := r.layCover(); err != nil || !ok {
		return false, err
	}
	p := &paths{run: r, column: uint64(s.column), at: r.pieces[1], lists: r.pieces[2], listed: r.pieces[3],
		far: r.pieces[4], rows: r.pieces[5]}
	if err := p.survey(); err != nil || p.now.Refused != 0 {
		return false, err
	}
	for more := true; more; more = !p.now.Over() {
		if err := p.rounds(); err != nil {
			return false, err
		}
	}
	if err := errors.Join(p.Stream.Fill8(p.Program.Active, 0, setBytes(p.n())), p.wait()); err != nil {
		return false, err
	}
	p.Tell(plugins.Iteration{Number: 1, Converged: true}, p.now.Looked)
	return true, nil
}

// survey has a look at all weights and first distances, and has those who are active wait.
func (p *paths) survey() error {
	program, cover, at := uint64(p.At), uint64(p.cover), uint64(p.at)
	return errors.Join(
		put(p.run, p.at, kernels.NearFar{Least: kernels.Nobody}),
		p.Stream.Fill8(p.listed, 0, setBytes(p.n())),
		p.Stream.Fill8(p.far, 0, setBytes(p.n())),
		p.launch("nearfar_begin", p.n(), program, at, uint64(p.far)),
		p.launch("nearfar_survey", p.edges(), cover, at, p.column),
		p.launch("nearfar_sample", 1, program, cover, at, p.column, p.edges()),
		p.bound(),
		p.get())
}

func (p *paths) get() (err error) {
	p.now, err = get[kernels.NearFar](p.run, p.at)
	return err
}

// perLook is how many rounds are launched before the host looks whether there are more. Those too many find
// nobody who waits.
const perLook = 8

func (p *paths) rounds() error {
	for range perLook {
		if err := errors.Join(p.relax(), p.launch("nearfar_turn", 1, uint64(p.at)), p.bound()); err != nil {
			return err
		}
	}
	return p.get()
}

func (p *paths) relax() error {
	at, lists, listed, far, rows := uint64(p.at), uint64(p.lists), uint64(p.listed), uint64(p.far), uint64(p.rows)
	return errors.Join(
		p.launch("nearfar_relax", p.n(), uint64(p.At), uint64(p.cover), at, p.column, lists, listed, far, rows),
		p.launch("nearfar_long", whole, uint64(p.At), at, p.column, lists, listed, far, rows))
}

// bound goes on to those who are far, if nobody is near.
func (p *paths) bound() error {
	program, at, far := uint64(p.At), uint64(p.at), uint64(p.far)
	return errors.Join(
		p.launch("nearfar_least", p.n(), program, at, far),
		p.launch("nearfar_gather", p.n(), program, at, uint64(p.lists), uint64(p.listed), far),
		p.launch("nearfar_start", 1, at))
}
