package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/host/registry"
	"github.com/penstock-db/penstock/store"
)

// Dense is how long the dense device takes beside the CPU, and beside what auto chooses, on graphs from sparse to full: the
// experiment of "CPU+NPU" in which the one's time is flat, and the other's grows with the edges.
type Dense struct {
	Setting
	Plugins string     `json:"plugins"`
	Rows    []DenseRow `json:"rows"`
}

// DenseRow is a kernel on one graph.
type DenseRow struct {
	Kind     string  `json:"kind"`
	Scale    int     `json:"scale"`
	Factor   int     `json:"factor"` // edges a vertex, directed
	Fill     float64 `json:"fill"`   // edges over cells of the matrix, parallel ones each counted
	Kernel   string  `json:"kernel"`
	Sources  int     `json:"sources"`
	CPU      Turns   `json:"cpu"`
	NPU      Turns   `json:"npu"`
	Auto     Turns   `json:"auto"`
	Foretold string  `json:"foretold"` // which auto has chosen, where neither was warm, before either had run here
	Stopped  bool    `json:"stopped,omitempty"`
}

// Turns are runs on one device: one that launches it and reads the graph, and then those that find it there.
type Turns struct {
	Refused string `json:"refused,omitempty"` // why there are none
	Cold    Turn   `json:"cold"`
	Warm    []Turn `json:"warm"`
}

// Turn is a run. Conversion is making chunks resident, of a matrix building it; what is left of the whole is launching, reading,
// transfer, planning, and copying results.
type Turn struct {
	Device     string  `json:"device"`
	Seconds    float64 `json:"seconds"`
	Compute    float64 `json:"compute"`
	Conversion float64 `json:"conversion"`
	Peak       uint64  `json:"peak"`
}

// Grid is what graphs and kernels a series of Dense has.
type Grid struct {
	Kinds           []string
	Scales, Factors []int
	Kernels         []string // see DenseKernels
	MostEdges       int      // graphs with more are left out
	Plugins         string   // directory in which npu is installed; empty: the user's own
}

// denseKernel is what is run, from the vertices of highest degree.
type denseKernel struct {
	name, algorithm string
	params          map[string]string
	sources         int // 0: it has none
}

var denseKernels = []denseKernel{
	{name: "bfs", algorithm: "bfs", sources: 1},
	{name: "bfs-64", algorithm: "bfs", sources: 64},
	{name: "pagerank", algorithm: "pagerank", params: map[string]string{"iterations": "20"}},
	{name: "ppr-64", algorithm: "personalized-pagerank", params: map[string]string{"iterations": "20"}, sources: 64},
}

// DenseKernels are the names of all.
func DenseKernels() (names []string) {
	for _, k := range denseKernels {
		names = append(names, k.name)
	}
	return names
}

// DefaultGrid is the paper's.
var DefaultGrid = Grid{
	Kinds: []string{string(graph500.Uniform), string(graph500.RMAT)}, Scales: []int{13, 14, 15},
	Factors: []int{8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}, Kernels: DenseKernels(), MostEdges: 1 << 25,
}

// DenseDevices measures every point of the grid, with a turn for each device in every round. It fails when results disagree. Where it
// is interrupted or fails, the report has what was measured before; nil: nothing was.
func DenseDevices(ctx context.Context, g Grid, o Options) (*Dense, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	installed, err := registry.Open(g.Plugins)
	if err != nil {
		return nil, err
	}
	if _, err := installed.Info(registry.NPU); err != nil {
		return nil, fmt.Errorf("bench: the dense device is what is measured: %w", err)
	}
	g.Plugins = installed.Dir()
	report := &Dense{Setting: newSetting(o), Plugins: g.Plugins}
	for _, kind := range g.Kinds {
		for _, scale := range g.Scales {
			for _, factor := range g.Factors {
				if factor<<scale > g.MostEdges {
					continue
				}
				rows, err := g.onPoint(ctx, graph500.Options{Kind: graph500.Kind(kind), Scale: scale, EdgeFactor: factor, Seed: 1}, o)
				report.Rows = append(report.Rows, rows...)
				if err != nil {
					return report.soFar(), fmt.Errorf("%s, scale %d, %d edges a vertex: %w", kind, scale, factor, err)
				}
			}
		}
	}
	report.LoadAfter = loadAverage()
	return report, nil
}

// soFar is the report of a series that has broken off.
func (d *Dense) soFar() *Dense {
	if len(d.Rows) == 0 {
		return nil
	}
	d.LoadAfter = loadAverage()
	return d
}

func (g Grid) check() error {
	for _, name := range g.Kernels {
		if !slices.Contains(DenseKernels(), name) {
			return &OptionError{"kernel", strconv.Quote(name), known(DenseKernels())}
		}
	}
	if len(g.Kinds) == 0 || len(g.Scales) == 0 || len(g.Factors) == 0 || len(g.Kernels) == 0 {
		return &OptionError{"series", "without graphs or kernels", "there must be one of each at the least"}
	}
	for _, kind := range g.Kinds {
		for _, scale := range g.Scales {
			for _, factor := range g.Factors {
				if _, err := graph500.New(graph500.Options{Kind: graph500.Kind(kind), Scale: scale, EdgeFactor: factor}); err != nil {
					return &OptionError{"graph", fmt.Sprintf("%s, scale %d, %d edges a vertex", kind, scale, factor), err.Error()}
				}
			}
		}
	}
	return nil
}

// onPoint makes one graph, measures on it, and removes it.
func (g Grid) onPoint(ctx context.Context, options graph500.Options, o Options) (rows []DenseRow, err error) {
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o.step("%s, 2^%d vertices, %d edges each: load", options.Kind, options.Scale, options.EdgeFactor)
	db, err := store.Open(dir, store.Options{Create: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	source, err := graph500.New(options)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if _, err := db.Load(ctx, "g", source, store.LoadOptions{Orientation: formats.Directed, Order: store.OrderDegree}); err != nil {
		return nil, err
	}
	snapshot, err := db.Snapshot("g")
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	for _, k := range denseKernels {
		if !slices.Contains(g.Kernels, k.name) {
			continue
		}
		o.step("%s, 2^%d vertices, %d edges each: %s", options.Kind, options.Scale, options.EdgeFactor, k.name)
		row := DenseRow{Kind: string(options.Kind), Scale: options.Scale, Factor: options.EdgeFactor, Kernel: k.name, Sources: k.sources,
			Fill: float64(options.EdgeFactor) / float64(int(1)<<options.Scale)}
		if err := g.measure(ctx, snapshot, k, &row, o); err != nil {
			return rows, fmt.Errorf("%s: %w", k.name, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// measure has auto choose before anything has run, then gives each device a cold turn and then warm ones, round after round.
func (g Grid) measure(ctx context.Context, snapshot *store.Snapshot, k denseKernel, row *DenseRow, o Options) error {
	request, err := g.request(ctx, snapshot, k, o)
	if err != nil {
		return err
	}
	began := time.Now()
	e := host.NewEngine(host.DefaultIdle)
	defer e.Close()
	turn := contest{e, snapshot, request}
	first, want, err := turn.on(ctx, "auto")
	if err != nil {
		return err
	}
	row.Foretold = first.Device
	e.Forget(snapshot.Manifest().Graph)
	for round := 0; round <= o.Runs; round++ {
		for _, way := range []struct {
			device string
			turns  *Turns
		}{{"cpu", &row.CPU}, {registry.NPU, &row.NPU}, {"auto", &row.Auto}} {
			if way.turns.Refused != "" {
				continue
			}
			t, got, err := turn.on(ctx, way.device)
			var over *host.BudgetError
			switch {
			case way.device == registry.NPU && errors.As(err, &over):
				way.turns.Refused = over.Error()
				continue
			case err != nil:
				return err
			case !agree(want.Columns, got.Columns):
				return fmt.Errorf("the result on %s is not that on %s", t.Device, first.Device)
			case round == 0:
				way.turns.Cold = t
			default:
				way.turns.Warm = append(way.turns.Warm, t)
			}
		}
		if row.Stopped = time.Since(began) > o.Limit && round > 0 && round < o.Runs; row.Stopped {
			break
		}
	}
	return nil
}

// request is the kernel's, from the vertices of highest degree, which the order of the graph has first.
func (g Grid) request(ctx context.Context, snapshot *store.Snapshot, k denseKernel, o Options) (host.Request, error) {
	request := host.Request{Algorithm: k.algorithm, Params: k.params, Threads: o.Threads, PluginDir: g.Plugins}
	if k.sources == 0 {
		return request, nil
	}
	ids, err := snapshot.UserIDs(ctx, 0, uint64(k.sources))
	if err != nil {
		return request, err
	}
	for i := range k.sources {
		request.Sources = append(request.Sources, ids.Text(i))
	}
	return request, nil
}

// contest runs the same request on different devices.
type contest struct {
	engine   *host.Engine
	snapshot *store.Snapshot
	request  host.Request
}

func (t contest) on(ctx context.Context, device string) (Turn, *host.Result, error) {
	t.request.Device = device
	started := time.Now()
	result, err := t.engine.Run(ctx, t.snapshot, t.request, host.Events{})
	if err != nil {
		return Turn{}, nil, err
	}
	r := result.Report
	return Turn{r.Device, time.Since(started).Seconds(), r.Seconds.Compute, r.Seconds.Transfer, r.PeakDeviceBytes}, result, nil
}

// agree tells whether results are the same, but for the order in which doubles were added up.
func agree(a, b []algorithms.Values) bool {
	return slices.EqualFunc(a, b, func(a, b algorithms.Values) bool {
		return a.Column == b.Column && slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Bools, b.Bools) &&
			slices.EqualFunc(a.Floats, b.Floats, func(x, y float64) bool {
				return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
			})
	})
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

// better is the lesser median of the two devices.
func (r DenseRow) better() float64 {
	if r.NPU.Refused != "" {
		return r.CPU.median(whole)
	}
	return min(r.CPU.median(whole), r.NPU.median(whole))
}

// chosen is the device that auto had last.
func (r DenseRow) chosen() string {
	if n := len(r.Auto.Warm); n > 0 {
		return r.Auto.Warm[n-1].Device
	}
	return r.Auto.Cold.Device
}

// choice is what the device that auto had last takes, by its own runs, over the better.
func (r DenseRow) choice() float64 {
	if r.chosen() == r.CPU.Cold.Device {
		return r.CPU.median(whole) / r.better()
	}
	return r.NPU.median(whole) / r.better()
}

// foretold is what the cold run takes on the device that auto chose first, over the better.
func (r DenseRow) foretold() float64 {
	cpu, npu := r.CPU.Cold.Seconds, r.NPU.Cold.Seconds
	switch {
	case r.NPU.Refused != "":
		return 1
	case r.Foretold == r.CPU.Cold.Device:
		return cpu / min(cpu, npu)
	}
	return npu / min(cpu, npu)
}
