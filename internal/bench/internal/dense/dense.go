// Package dense measures the dense device beside the sparse one, on a grid of graphs.
package dense

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
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/store"
)

// Dense is how long the dense device takes beside the CPU, and beside what auto chooses, on graphs from sparse to full:
// the experiment of "CPU+NPU" in which the one's time is flat, and the other's grows with the edges.
type Dense struct {
	measure.Setting
	Plugins string     `json:"plugins"`
	Rows    []DenseRow `json:"rows"`
	LeftOut []string   `json:"left_out,omitempty"` // which graphs and kernels, and why
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

// Grid is what graphs and kernels a series of Dense has.
type Grid struct {
	Kinds           []string
	Scales, Factors []int
	Kernels         []string      // see DenseKernels
	MostEdges       int           // graphs with more are left out
	Longest         time.Duration // of a run: a device that takes longer is given up, of that graph and kernel
	Plugins         string        // directory in which npu is installed; empty: the user's own
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
	Longest: time.Minute,
}

// DenseDevices measures every point of the grid, with a turn for each device in every round. It fails when results
// disagree. Where it is interrupted or fails, the report has what was measured before; nil: nothing was.
func DenseDevices(ctx context.Context, g Grid, o measure.Options) (*Dense, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := kernel.Check(o); err != nil {
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
	report := &Dense{Setting: measure.NewSetting(o), Plugins: g.Plugins}
	for _, kind := range g.Kinds {
		for _, scale := range g.Scales {
			for _, factor := range g.Factors {
				if err := g.onPoint(ctx, graph500.Options{Kind: graph500.Kind(kind), Scale: scale, EdgeFactor: factor, Seed: 1}, o,
					report); err != nil {
					return report.soFar(), fmt.Errorf("%s, scale %d, %d edges a vertex: %w", kind, scale, factor, err)
				}
			}
		}
	}
	report.LoadAfter = measure.LoadAverage()
	return report, nil
}

// soFar is the report of a series that has broken off.
func (d *Dense) soFar() *Dense {
	if len(d.Rows) == 0 {
		return nil
	}
	d.LoadAfter = measure.LoadAverage()
	return d
}

func (g Grid) check() error {
	for _, name := range g.Kernels {
		if !slices.Contains(DenseKernels(), name) {
			return &measure.OptionError{Option: "kernel", Found: strconv.Quote(name), Want: measure.Known(DenseKernels())}
		}
	}
	if len(g.Kinds) == 0 || len(g.Scales) == 0 || len(g.Factors) == 0 || len(g.Kernels) == 0 {
		return &measure.OptionError{Option: "series", Found: "without graphs or kernels",
			Want: "there must be one of each at the least"}
	}
	for _, kind := range g.Kinds {
		for _, scale := range g.Scales {
			for _, factor := range g.Factors {
				if _, err := graph500.New(graph500.Options{Kind: graph500.Kind(kind), Scale: scale,
					EdgeFactor: factor}); err != nil {
					return &measure.OptionError{Option: "graph", Found: fmt.Sprintf("%s, scale %d, %d edges a vertex", kind, scale,
						factor), Want: err.Error()}
				}
			}
		}
	}
	return nil
}

// onPoint makes one graph, measures on it, and removes it.
func (g Grid) onPoint(ctx context.Context, options graph500.Options, o measure.Options, report *Dense) error {
	where := fmt.Sprintf("%s, 2^%d vertices, %d edges each", options.Kind, options.Scale, options.EdgeFactor)
	if edges := options.EdgeFactor << options.Scale; edges > g.MostEdges {
		report.leaveOut(o, "%s: %d edges are more than %d", where, edges, g.MostEdges)
		return nil
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o.Step("%s: load", where)
	db, err := store.Open(dir, store.Options{Create: true})
	if err != nil {
		return err
	}
	defer db.Close()
	source, err := graph500.New(options)
	if err != nil {
		return err
	}
	defer source.Close()
	if _, err := db.Load(ctx, "g", source, store.LoadOptions{Orientation: formats.Directed,
		Order: store.OrderDegree}); err != nil {
		return err
	}
	snapshot, err := db.Snapshot("g")
	if err != nil {
		return err
	}
	defer snapshot.Close()
	for _, k := range denseKernels {
		if !slices.Contains(g.Kernels, k.name) {
			continue
		}
		o.Step("%s: %s", where, k.name)
		row := DenseRow{Kind: string(options.Kind), Scale: options.Scale, Factor: options.EdgeFactor, Kernel: k.name,
			Sources: k.sources,
			Fill:    float64(options.EdgeFactor) / float64(int(1)<<options.Scale)}
		err := g.measure(ctx, snapshot, k, &row, o)
		var long *tooLong
		switch {
		case errors.As(err, &long):
			report.leaveOut(o, "%s, %s: %v", where, k.name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", k.name, err)
		default:
			report.Rows = append(report.Rows, row)
		}
	}
	return nil
}

// leaveOut notes what is not measured, and why.
func (d *Dense) leaveOut(o measure.Options, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	o.Step("left out: %s", why)
	d.LeftOut = append(d.LeftOut, why)
}

// request is the kernel's, from the vertices of highest degree, which the order of the graph has first.
func (g Grid) request(ctx context.Context, snapshot *store.Snapshot, k denseKernel, o measure.Options) (host.Request,
	error) {
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

// agree tells whether results are the same, but for the order in which doubles were added up.
func agree(a, b []algorithms.Values) bool {
	return slices.EqualFunc(a, b, func(a, b algorithms.Values) bool {
		return a.Column == b.Column && slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Bools, b.Bools) &&
			slices.EqualFunc(a.Floats, b.Floats, func(x, y float64) bool {
				return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
			})
	})
}

// better is the lesser median of the two devices.
func (r DenseRow) better() float64 {
	if r.NPU.Refused != "" {
		return r.CPU.median(whole)
	}
	return min(r.CPU.median(whole), r.NPU.median(whole))
}

// chosen is the device that auto had last.
func (r DenseRow) chosen() string { return r.Auto.Warm[len(r.Auto.Warm)-1].Device }

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
	case npu == 0: // it does not fit, and auto would have had the CPU
		return 1
	case r.Foretold == r.CPU.Cold.Device:
		return cpu / min(cpu, npu)
	}
	return npu / min(cpu, npu)
}
