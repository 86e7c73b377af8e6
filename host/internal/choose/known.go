package choose

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/store"
)

// Known is what is known of how long a computation takes, by what devices have taken before.
type Known struct {
	Book   *rates.Book // nil: nothing is learned, for there is nothing to choose
	Of     plan.Computation
	Snap   *store.Snapshot
	Linked *device.LinkedCounts

	kind func() string
}

// NewKnown is what a book knows of a computation.
func NewKnown(book *rates.Book, of plan.Computation, snap *store.Snapshot, linked *device.LinkedCounts) Known {
	return Known{Book: book, Of: of, Snap: snap, Linked: linked,
		kind: sync.OnceValue(func() string { return kind(*of.Task.Program) })}
}

// Forecast is what a device takes for the computation, about as much work as this.
func (k Known) Forecast(spec launch.Spec, w core.Work) (f rates.Forecast, known bool) {
	program := k.Of.Task.Program
	if f, known = k.Book.Forecast(k.Key(spec), k.kind(), w); program.Exactly {
		f.Rounds = float64(program.MaxIterations)
	}
	return f, known
}

// Work is what there is to be done, but for how many rounds it takes.
func (k Known) Work(ctx context.Context) (w core.Work, err error) {
	m := k.Snap.Manifest()
	w = core.Work{Graph: uint64(m.Created.UnixNano()), Vertices: m.Vertices,
		Sources: uint64(max(1, len(k.Of.Request.Sources)))}
	for _, c := range k.Snap.Chunks(chunk.Out) {
		w.Edges += c.Edges
	}
	w.Linked, err = k.Linked.Of(ctx, k.Snap)
	return w, err
}

// Kind is what programs have in common that take alike.
func (k Known) Kind() string { return k.kind() }

// Key is what runs have in common that take alike, of the device.
func (k Known) Key(spec launch.Spec) string { return deviceKey(spec, k.Of.Request.Threads) }

// kind is all of a program but its constants and when it ends.
func kind(p algorithms.Program) string {
	p.Constants, p.MaxIterations, p.Exactly, p.Tolerance, p.Diverged = nil, 0, false, 0, ""
	return p.Name + "-" + checkpoint.ProgramDigest(p)[:8]
}

// deviceKey is what runs have in common that take alike, of the device.
func deviceKey(spec launch.Spec, threads int) string {
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	key := fmt.Sprintf("%s, %d of %d threads", spec.Name, threads, runtime.NumCPU())
	if !spec.BuiltIn() {
		var files []string
		for _, f := range spec.Libraries {
			files = append(files, f.SHA256)
		}
		key += ", " + checkpoint.Hash(strings.Join(slices.Concat(files, spec.Env), " "))[:8]
	}
	return key
}
