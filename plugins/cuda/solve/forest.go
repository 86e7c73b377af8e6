package solve

import (
	"context"
	"errors"
	"unsafe"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// forest solves by Afforest (solve_forest.cuh).
type forest struct{}

func (forest) Name() string { return "components by sampled union" }

func (f forest) Scratch(vertices uint64) uint64 { return scratch(f.pieces(vertices)) }

// pieces are the cover, kernels.Forest, parent and rows.
func (forest) pieces(n uint64) []uint64 {
	return []uint64{coverBytes(n), uint64(unsafe.Sizeof(kernels.Forest{})), 4 * n, kernels.LongRowsBytes(n)}
}

// trees is a forest under way.
type trees struct {
	*run
	at, parent, rows driver.Pointer
}

func (f forest) Run(ctx context.Context, job Job) (solved bool, err error) {
	r := begin(ctx, job, f.pieces(job.Program.Vertices))
	if ok, err := r.layCover(); err != nil || !ok {
		return false, err
	}
	t := &trees{run: r, at: r.pieces[1], parent: r.pieces[2], rows: r.pieces[3]}
	if err := errors.Join(put(r, t.at, kernels.Forest{}), t.join(), t.settle()); err != nil {
		return false, err
	}
	last, err := get[kernels.Forest](r, t.at)
	if err != nil {
		return false, err
	}
	t.Tell(plugins.Iteration{Number: 1, Converged: true}, last.Looked)
	return true, nil
}

// join makes a tree of each component.
func (t *trees) join() error {
	program, cover, at, parent, rows := uint64(t.At), uint64(t.cover), uint64(t.at), uint64(t.parent), uint64(t.rows)
	flatten := func() error { return t.launch("forest_flatten", t.n(), program, parent) }
	return errors.Join(
		t.launch("forest_plant", t.n(), program, parent),
		t.launch("forest_hook", t.n(), program, cover, at, parent),
		flatten(),
		t.launch("forest_link", t.n(), program, cover, at, parent, 1),
		flatten(),
		t.launch("forest_frequent", 1, program, at, parent),
		t.launch("forest_rest", t.n(), program, cover, at, parent, rows),
		t.launch("forest_long", whole, program, at, parent, rows),
	)
}

// settle gives all of a tree the best value in it. Nobody sends after.
func (t *trees) settle() error {
	program, parent := uint64(t.At), uint64(t.parent)
	return errors.Join(
		t.launch("forest_key", t.n(), program),
		t.launch("forest_collect", t.n(), program, parent),
		t.launch("forest_settle", t.n(), program, parent),
		t.launch("forest_forget", t.n(), program),
		t.Stream.Fill8(t.Program.Active, 0, setBytes(t.n())),
	)
}
