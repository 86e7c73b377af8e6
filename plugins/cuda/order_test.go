package cuda_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// An upload that waits for what is evicted before it gets that memory, and not a smaller one behind it.
func TestUpload_TakesItsTurn(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_DELAY", "2000")
	r := newRunOf(t, 12<<10, 0, 4<<10, 11<<10, 12<<10)
	r.job.Budget = r.peak(1)
	var commands []plugins.Command
	for i, at := range r.chunks {
		number := uint32(i)
		commands = append(commands, plugins.Command{Op: plugins.Upload, Chunk: number, At: at},
			plugins.Command{Op: plugins.Step, Chunk: number},
			plugins.Command{Op: plugins.Evict, Chunk: number})
	}
	d := r.begin(cuda.New(cuda.Options{}))
	if _, err := d.ask(append([]plugins.Command{{Op: plugins.Init}}, commands...)...); err != nil {
		t.Error(err)
	}
}

// No copy of a streamed run is of memory that is not pinned: the driver would wait for it, and nothing be copied beside
// kernels. The second time chunks are pinned where they lie; before, they go by the ring.
func TestUpload_FromPinnedMemory(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_PAGEABLE", "0")
	if err := newRun(t, 64).on(t.Context(), cuda.New(cuda.Options{})); err != nil {
		t.Error(err)
	}
}

// peak is what the task takes with one chunk.
func (r *run) peak(number int) (bytes uint64) {
	r.t.Helper()
	d := r.begin(cuda.New(cuda.Options{}))
	d.commands <- plugins.Command{Seq: 1, Op: plugins.Upload, Chunk: uint32(number), At: r.chunks[number]}
	e := <-d.events
	if e.Err != nil {
		r.t.Fatal(e.Err)
	}
	return e.Peak
}

// begin has a session wait for commands, until the test ends.
func (r *run) begin(device plugins.Device) *dialog {
	r.t.Helper()
	session, err := device.Open(r.t.Context(), r.job)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { session.Close() })
	if _, err := session.Compile(r.t.Context(), r.task); err != nil {
		r.t.Fatal(err)
	}
	return converse(r.t.Context(), session)
}
