package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// folder is where program is; TestMain removes it.
var folder string

// bundleVariable names a folder in which the program is, as bench/gpu.sh carries it to a machine without Go.
const bundleVariable = "PENSTOCK_CUDA_BUNDLE"

// program is the plugin's, built once.
var program = sync.OnceValues(func() (_ string, err error) {
	if bundle := os.Getenv(bundleVariable); bundle != "" {
		return filepath.Join(bundle, "cuda", "penstock-device-cuda"), nil
	}
	if folder, err = os.MkdirTemp("", "penstock-device-cuda"); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "penstock-device-cuda")
	built, err := exec.Command("go", "build", "-o", path, "./cmd/penstock-device-cuda").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, built)
	}
	return path, nil
})

// launch starts the plugin's program with more variables in its environment.
func launch(t testing.TB, environment ...string) plugins.Device {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path)
	command.Env = append(os.Environ(), environment...)
	return plugintest.Launch(t, command)
}

// run is a session that finds out who is connected in a graph of two rings, of which chunks are sent again and again.
type run struct {
	t      *testing.T
	n      int
	bounds []int // of the chunks' rows
	arena  *arena.Arena
	job    plugins.Job
	task   plugins.Task
	chunks []arena.Range
	random *rand.Rand // the order of the chunks
	copied uint64     // bytes, to the card
}

// newRun is a run whose chunks are quarters of the rows.
func newRun(t *testing.T, n int) *run {
	t.Helper()
	return newRunOf(t, n, 0, n/4, n/2, 3*n/4, n)
}

func newRunOf(t *testing.T, n int, bounds ...int) *run {
	t.Helper()
	program, err := wcc()
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t: t, n: n, bounds: bounds, random: testseed.Rand(t), task: plugins.Task{Program: program}}
	if r.arena, err = arena.Create(uint64(64<<10 + 64*n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.arena.Close() })
	r.job = plugins.Job{Arena: r.arena, Graph: plugins.Graph{Name: "rings", Vertices: uint64(n), Edges: uint64(n)}}
	r.place()
	return r
}

func wcc() (*algorithms.Program, error) {
	a, err := catalog.Lookup("wcc")
	if err != nil {
		return nil, err
	}
	args, err := a.Bind(nil, algorithms.Env{})
	if err != nil {
		return nil, err
	}
	p, err := a.Program(args)
	if err != nil {
		return nil, err
	}
	return p, algorithms.Check(p, nil)
}

// place puts columns and chunks into the arena.
func (r *run) place() {
	r.t.Helper()
	var end uint64
	next := func(bytes uint64) arena.Range {
		at := arena.Range{Offset: end, Length: bytes}
		end = (at.End() + arena.Align - 1) / arena.Align * arena.Align
		return at
	}
	for _, c := range algorithms.VertexColumns(r.task.Program) {
		at := next(8 * uint64(r.n))
		r.task.Layout.Columns = append(r.task.Layout.Columns, plugins.VertexColumn{Column: c, Range: at})
		if c.Name == "id" {
			ids, _ := r.arena.Int64s(at)
			for v := range ids {
				ids[v] = int64(v)
			}
		}
	}
	r.task.Layout.Active = next(8 * uint64((r.n+63)/64))
	for i, from := range r.bounds[:len(r.bounds)-1] {
		encoded := r.rings(from, r.bounds[i+1])
		at := next(uint64(len(encoded)))
		b, err := r.arena.Bytes(at)
		if err != nil {
			r.t.Fatal(err)
		}
		copy(b, encoded)
		r.chunks = append(r.chunks, at)
	}
}

// rings is a chunk of rows.
func (r *run) rings(from, to int) []byte {
	r.t.Helper()
	half := r.n / 2
	var neighbors []uint32
	offsets := []int32{0}
	for v := from; v < to; v++ {
		base := v / half * half
		neighbors = append(neighbors, uint32(base+(v-base+1)%half), uint32(base+(v-base+half-1)%half))
		offsets = append(offsets, int32(len(neighbors)))
	}
	meta := chunk.Meta{Graph: "rings", Snapshot: 1, Direction: chunk.Both,
		Rows: chunk.Interval{Base: uint64(from), Count: uint64(to - from)}, Cols: chunk.Interval{Count: uint64(r.n)}}
	c, err := chunk.FromCSR(memory.DefaultAllocator, meta, nil, offsets, neighbors, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Release()
	encoded := chunk.Aligned(c.EncodedSize())
	if _, err := c.EncodeTo(encoded); err != nil {
		r.t.Fatal(err)
	}
	return encoded
}

// on runs it on a device, chunk by chunk in every iteration, and compares the result. It closes the session.
func (r *run) on(ctx context.Context, device plugins.Device) (err error) {
	session, err := device.Open(ctx, r.job)
	if err != nil {
		return fmt.Errorf("Open: %w", err)
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if _, err := session.Compile(ctx, r.task); err != nil {
		return fmt.Errorf("Compile: %w", err)
	}
	if err := r.talk(converse(ctx, session)); err != nil {
		return err
	}
	return r.compare()
}

func (r *run) talk(d *dialog) error {
	it, err := d.ask(plugins.Command{Op: plugins.Init})
	for err == nil && !it.Converged {
		var commands []plugins.Command
		for _, i := range r.random.Perm(len(r.chunks)) {
			number := uint32(i)
			upload := plugins.Command{Op: plugins.Upload, Chunk: number, At: r.chunks[i]}
			if r.task.ActiveRows {
				upload.Among = r.task.Layout.Active
			}
			commands = append(commands, upload,
				plugins.Command{Op: plugins.Step, Chunk: number}, plugins.Command{Op: plugins.Evict, Chunk: number})
		}
		it, err = d.ask(append(commands, plugins.Command{Op: plugins.Apply})...)
	}
	r.copied = d.copied
	if err != nil {
		return err
	}
	close(d.commands)
	return <-d.ended
}

// compare looks at the result: in each ring the least id.
func (r *run) compare() error {
	result := slices.IndexFunc(r.task.Layout.Columns,
		func(c plugins.VertexColumn) bool { return c.Name == r.task.Program.State[0].Name })
	values, err := r.arena.Int64s(r.task.Layout.Columns[result].Range)
	if err != nil {
		return err
	}
	for v, x := range values {
		if want := int64(v / (r.n / 2) * (r.n / 2)); x != want {
			return fmt.Errorf("vertex %d is of component %d; expected %d", v, x, want)
		}
	}
	return nil
}

// dialog is the stream of commands and events.
type dialog struct {
	commands chan plugins.Command
	events   chan plugins.Event
	ended    chan error
	seq      uint64
	copied   uint64
}

func converse(ctx context.Context, session plugins.Session) *dialog {
	d := &dialog{events: make(chan plugins.Event, 64), commands: make(chan plugins.Command), ended: make(chan error, 1)}
	go func() { d.ended <- session.Execute(ctx, d.commands, func(e plugins.Event) { d.events <- e }) }()
	return d
}

// ask sends commands, and waits until all have been answered, in order.
func (d *dialog) ask(commands ...plugins.Command) (it plugins.Iteration, err error) {
	first := d.seq + 1
	go func() {
		for i, c := range commands {
			c.Seq = first + uint64(i)
			d.commands <- c
		}
	}()
	d.seq += uint64(len(commands))
	for next := first; next <= d.seq; {
		select {
		case e := <-d.events:
			d.copied += e.Bytes
			if e.Iteration != nil {
				it = *e.Iteration
			}
			switch {
			case e.Seq != next:
				return it, fmt.Errorf("an answer to command %d; expected one to %d", e.Seq, next)
			case e.Err != nil:
				return it, e.Err
			case e.Done:
				next++
			}
		case err := <-d.ended:
			return it, err
		}
	}
	return it, nil
}
