package dense

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/store"
)

// Turns are runs on one device: one that launches it and reads the graph, and then those that find it there. Auto has
// none of the first sort.
type Turns struct {
	Refused string `json:"refused,omitempty"` // why there are no more
	Cold    Turn   `json:"cold"`
	Warm    []Turn `json:"warm"`
}

// Turn is a run. Conversion is making chunks resident, of a matrix building it; what is left of the whole is launching,
// reading, transfer, planning, and copying results.
type Turn struct {
	Device     string  `json:"device"`
	Seconds    float64 `json:"seconds"`
	Compute    float64 `json:"compute"`
	Conversion float64 `json:"conversion"`
	Peak       uint64  `json:"peak"`
}

// repeats is how many times as many rounds there are, at most, where they are done long before the limit: what takes a
// few milliseconds varies by more than the tenth that is asked about.
const repeats = 20

// measure has auto choose before anything has run, then gives each device a cold turn and everybody warm ones, round
// after round.
func (g Grid) measure(ctx context.Context, snapshot *store.Snapshot, k denseKernel, row *DenseRow,
	o measure.Options) error {
	request, err := g.request(ctx, snapshot, k, o)
	if err != nil {
		return err
	}
	e := host.NewEngine(host.DefaultIdle)
	defer e.Close()
	c := &contest{engine: e, snapshot: snapshot, request: request, longest: g.Longest, orders: rand.New(rand.NewPCG(1, 1))}
	if row.Foretold, err = c.foretell(ctx); err != nil {
		return err
	}
	if err := c.cold(ctx, row); err != nil {
		return err
	}
	began := time.Now()
	for round := range repeats * o.Runs {
		if err := c.round(ctx, row, round >= o.Runs); err != nil {
			return err
		}
		spent := time.Since(began)
		if row.Stopped = spent > o.Limit && round+1 < o.Runs; row.Stopped || round+1 >= o.Runs && spent > o.Limit/2 {
			break
		}
	}
	return nil
}

// contest runs the same request on different devices.
type contest struct {
	engine   *host.Engine
	snapshot *store.Snapshot
	request  host.Request
	longest  time.Duration
	want     []algorithms.Values
	orders   *rand.Rand
}

// foretell is the device that auto takes while it knows nothing of the graph. It need not run for that.
func (c *contest) foretell(ctx context.Context) (device string, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	request := c.request
	request.Device = "auto"
	chosen := errors.New("it is known which")
	_, err = c.engine.Run(ctx, c.snapshot, request, host.Events{Launched: func(l host.Launch) {
		device = l.Device.Name
		stop(chosen)
	}})
	if err != nil && errors.Is(context.Cause(ctx), chosen) {
		err = nil
	}
	return device, err
}

// cold has each device run for the first time on the graph.
func (c *contest) cold(ctx context.Context, row *DenseRow) (err error) {
	if row.CPU.Cold, err = c.on(ctx, "cpu"); err != nil {
		return err
	}
	var over *host.BudgetError
	row.NPU.Cold, err = c.on(ctx, registry.NPU)
	if errors.As(err, &over) || errors.As(err, new(*tooLong)) {
		row.NPU.Refused, err = err.Error(), nil
	}
	return err
}

// round gives everybody a turn, in an order that is drawn anew each time: whoever comes after npu finds the processor's
// caches full of its matrix. When rounds are repeated, it leaves out who takes several times as long as others: that is
// not what is in doubt.
func (c *contest) round(ctx context.Context, row *DenseRow, again bool) error {
	ways := []struct {
		device string
		turns  *Turns
	}{{"cpu", &row.CPU}, {registry.NPU, &row.NPU}, {"auto", &row.Auto}}
	for _, i := range c.orders.Perm(len(ways)) {
		way := ways[i]
		if way.turns.Refused != "" || again && way.turns.median(whole) > 3*row.better() {
			continue
		}
		t, err := c.on(ctx, way.device)
		if long := new(tooLong); errors.As(err, &long) && way.device != "cpu" {
			way.turns.Refused, err = long.Error(), nil
		}
		if err != nil {
			return err
		}
		way.turns.Warm = append(way.turns.Warm, t)
	}
	return nil
}

// on runs on a device. It fails where the result is another than before, and with *tooLong; then the turn is so long.
func (c *contest) on(ctx context.Context, device string) (Turn, error) {
	long := &tooLong{device, c.longest}
	ctx, stop := context.WithTimeoutCause(ctx, c.longest, long)
	defer stop()
	request := c.request
	request.Device = device
	started := time.Now()
	result, err := c.engine.Run(ctx, c.snapshot, request, host.Events{})
	taken := time.Since(started)
	switch {
	case err != nil && errors.Is(context.Cause(ctx), long):
		return Turn{Device: registry.NPU, Seconds: taken.Seconds()}, long // auto's too: the CPU has taken less
	case err != nil:
		return Turn{}, err
	case c.want == nil:
		c.want = result.Columns
	case !agree(c.want, result.Columns):
		return Turn{}, fmt.Errorf("the result on %s is not that on cpu", result.Report.Device)
	}
	r := result.Report
	return Turn{r.Device, taken.Seconds(), r.Seconds.Compute, r.Seconds.Transfer, r.PeakDeviceBytes}, nil
}

// tooLong is why a device is given up.
type tooLong struct {
	device string
	than   time.Duration
}

func (t *tooLong) Error() string {
	return fmt.Sprintf("a run on %s took longer than %v", t.device, t.than)
}

// median of the warm turns; of none, the cold one.
func (t Turns) median(of func(Turn) float64) float64 {
	if len(t.Warm) == 0 {
		return of(t.Cold)
	}
	var all []float64
	for _, turn := range t.Warm {
		all = append(all, of(turn))
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

func whole(t Turn) float64      { return t.Seconds }
func inKernels(t Turn) float64  { return t.Compute }
func converting(t Turn) float64 { return t.Conversion }
