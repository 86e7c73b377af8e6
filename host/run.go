package host

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// run is one Run on its way through its steps. Each step fills in its part.
type run struct {
	parent  context.Context // the caller's
	ctx     context.Context // ends with the first failure, which is its cause
	fail    context.CancelCauseFunc
	started time.Time
	snap    *store.Snapshot
	asked   Request // as the caller has put it
	req     Request
	events  Events
	engine  *Engine // keeps what can be used again; nil: nobody does
	meter   meter
	// estimating: the run ends with open, so the arena is left empty.
	estimating bool

	// plan
	task       plugins.Task // its Layout comes with open
	edges      algorithms.Edges
	columns    []algorithms.Column // of the task: inputs, then state or results
	results    []algorithms.Column // what the caller gets
	sources    []string            // those of the request that this run sees to
	lanes      int                 // how many of them the device would take at once
	edgeNames  []string            // edge columns that chunks are projected to
	parameters map[string]string
	finish     func([]algorithms.Values) // makes the result of the last state; nil: it is that

	// which device
	book       *rates.Book // nil: there is nothing to choose, and nothing to learn
	choice     *Choice     // nil: nobody asked
	candidates map[string]launch.Spec
	kindName   string // of the program
	npuFailed  string // what came of an earlier try on npu

	// open
	choosing  time.Duration       // a device
	launching time.Duration       // until the device had described itself
	tookWarm  bool                // the device was there
	warm      *warm               // has the plugin and the arena, also under the names below
	lasting   bool                // warm may serve another run
	devices   []*device           // in the order of the chain
	device    plugins.Description // of all together
	arena     *arena.Arena
	maps      atomic.Bool // the devices read chunks in files, as far as is known
	budget    uint64      // of each device
	kernel    plugins.Plan
	chunks    []piece
	fit       fit
	held      int64  // bytes of the context's account
	occupied  uint64 // bytes of the arena that the vertex columns of all devices take
	used      uint64 // bytes that vertex columns and chunks take, at most
	talk      *chain
	split     *split      // nil: not one of a core and a rest
	core      *CoreReport // nil: none was asked for

	// stream
	policy       schedule.Schedule
	cannot       *unsettled // an earlier try has failed so; nil: there was none
	settling     bool       // by Settle, not by Step and Apply
	why          *unsettled // though the schedule would; nil: it is, or the schedule would not
	active       []uint64
	degrees      map[chunk.Direction][]uint32 // nil: the policy does not look at them
	accounting   *schedule.Accounting         // nil: nobody asked
	paces        paces
	free         chan *slot
	link         link
	profile      profile
	telling      sync.Mutex // protects passing; spans are told of one at a time
	passing      int        // the iteration under way
	viewing      sync.Mutex // protects views: two goroutines look at chunks
	views        map[int]*chunk.Chunk
	keeper       *keeper // nil: no state is kept
	resumedFrom  int     // the iteration that a checkpoint was of; 0: none
	final        plugins.Iteration
	perIteration []IterationReport
}

// piece is a stored chunk as a run uses it. Its index in run.chunks is its number on the wire.
type piece struct {
	info    store.ChunkInfo
	size    int              // bytes it takes in the arena, at most, if it is there
	device  uint64           // bytes it takes of the budget, at most
	senders []chunk.Interval // vertices that may send along its edges
	at      arena.Range      // its place in the arena, if it has one of its own
	stays   bool             // on the device, where it is already; of a streamed run
	sent    uint64           // bytes of lists that were cut out of it; of a streamed run
}

func newRun(ctx context.Context, snap *store.Snapshot, req Request, events Events) *run {
	own, fail := context.WithCancelCause(ctx)
	return &run{link: newLink(req.LinkBandwidth), parent: ctx, ctx: own, fail: fail, started: time.Now(), snap: snap, asked: req, req: req, events: events.Filled()}
}

// cause is the first failure of the run, of which err may be a mere consequence.
func (r *run) cause(err error) error {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	return err
}

// close ends what the run has started, or leaves it to the engine. A run that has failed
// kills its plugins.
func (r *run) close() {
	failed := r.ctx.Err() != nil || r.talk == nil || r.talk.waiting()
	if !failed {
		for _, d := range r.devices {
			d.spare()
		}
	}
	r.fail(nil)
	keep := !failed && r.endSessions() && r.lasting && r.fit.resident && !r.warm.hinders()
	if !keep {
		r.endPlugins(failed)
	}
	if r.talk != nil {
		r.talk.wait()
	}
	switch {
	case keep:
		r.warm.bytes = r.used + r.warm.spareBytes(r.chunks) + r.kernel.Kept + r.unforeseen()
		r.engine.keep(r.warm)
	case r.arena != nil:
		r.warm.closeMemory()
	}
}

// unforeseen is what the device took beyond what it had planned, and may hold on to as well.
func (r *run) unforeseen() uint64 {
	return max(r.meter.total().peak, r.fit.used) - r.fit.used
}

// endSessions tells whether the devices have closed their sessions in time.
func (r *run) endSessions() (ended bool) {
	ended = true
	for _, d := range r.devices {
		late := time.AfterFunc(r.req.Timeout, d.plugin.Kill)
		ended = d.session.Close() == nil && ended
		late.Stop()
	}
	return ended
}

func (r *run) endPlugins(failed bool) {
	for _, d := range r.devices {
		switch {
		case d.plugin == nil:
		case failed:
			d.plugin.Kill()
		default:
			d.plugin.Close()
		}
	}
}
