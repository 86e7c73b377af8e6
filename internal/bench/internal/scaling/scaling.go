// Package scaling measures how the time an edge grows with the graph.
package scaling

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/inprocess"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// Scaling is how the time an edge grows with RMAT graphs, in process.
type Scaling struct {
	measure.Setting
	Cache  uint64  `json:"cache"` // bytes; 0: unknown
	Sizes  []Size  `json:"sizes"`
	Growth []Curve `json:"growth"`
}

// Size is one graph.
type Size struct {
	Scale    int    `json:"scale"`
	Vertices uint64 `json:"vertices"`
	Edges    uint64 `json:"edges"`
	Bytes    uint64 `json:"bytes"` // of its chunks
}

// Curve is the cost of a kernel at each of the sizes that it was measured at, from the first.
type Curve struct {
	Kernel      string    `json:"kernel"`
	Nanoseconds []float64 `json:"nanoseconds"` // an undirected edge; medians
}

// Scale measures kernels on RMAT graphs from one scale to another.
func Scale(ctx context.Context, from, to int, o measure.Options) (*Scaling, error) {
	if from > to {
		return nil, &measure.OptionError{Option: "scale", Found: fmt.Sprintf("from %d to %d", from, to),
			Want: "the first must not be larger than the last"}
	}
	o.Graphs = nil
	for scale := from; scale <= to; scale++ {
		o.Graphs = append(o.Graphs, "rmat-"+strconv.Itoa(scale))
	}
	if err := kernel.Check(o); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o, err = programs.FindPrograms(ctx, o, dir); err != nil {
		return nil, err
	}
	s := &Scaling{Setting: measure.NewSetting(o), Cache: lastCache()}
	for _, k := range kernel.Chosen(o) {
		s.Growth = append(s.Growth, Curve{Kernel: k.Title()})
	}
	for scale := from; scale <= to; scale++ {
		if err := s.measure(ctx, dir, scale, o); err != nil {
			return nil, fmt.Errorf("rmat-%d: %w", scale, err)
		}
	}
	s.LoadAfter = measure.LoadAverage()
	return s, nil
}

func (s *Scaling) measure(ctx context.Context, dir string, scale int, o measure.Options) error {
	g, err := graphs.Prepare(ctx, dir, "rmat-"+strconv.Itoa(scale), kernel.Weights(o), o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(g.Dir)
	s.Sizes = append(s.Sizes, Size{scale, g.Vertices, g.Edges, g.Bytes})
	for i, k := range kernel.Chosen(o) {
		o.Step("%s: %s", g.Name, k.Title())
		ours := func(ctx context.Context) ([]measure.Sample, error) { return inprocess.InProcess(ctx, g, k, o) }
		found, err := measure.Rounds(ctx, []measure.Contender{ours}, o.Runs, o.Limit)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Title(), err)
		}
		s.Growth[i].Nanoseconds = append(s.Growth[i].Nanoseconds, found.Of(measure.InProcess).Median()*1e9/float64(g.Edges))
	}
	return nil
}

// flat is by how much the time an edge may grow over all sizes that no cache holds.
const flat = 1.2

// beyondCache is the first of the sizes whose chunks the last cache does not hold.
func (s *Scaling) beyondCache() int {
	first := slices.IndexFunc(s.Sizes, func(size Size) bool { return size.Bytes > s.Cache })
	if first < 0 {
		return len(s.Sizes)
	}
	return first
}

// verdict says how much the time an edge grows, largest over smallest, beyond the cache.
func (c Curve) verdict(beyond int) string {
	if len(c.Nanoseconds)-beyond < 2 {
		return "–"
	}
	costs := c.Nanoseconds[beyond:]
	growth := slices.Max(costs) / slices.Min(costs)
	if growth <= flat {
		return fmt.Sprintf("%.2f, flat", growth)
	}
	return fmt.Sprintf("%.2f, not flat", growth)
}

// WriteMarkdown writes one table: nanoseconds an edge, kernels by scales.
func (s *Scaling) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	s.Preamble(&b)
	fmt.Fprintf(
		&b, "\nNanoseconds an undirected edge, in process, by RMAT scale; medians. Flat is a growth of at most %.2f, largest over\n"+
			"smallest, over the scales whose chunks are larger than the last cache of %d MiB.\n\n", flat, s.Cache>>20)
	scales, sizes := []string{"kernel"}, []string{"MiB of chunks"}
	for _, size := range s.Sizes {
		scales, sizes = append(scales, strconv.Itoa(size.Scale)),
			append(sizes, fmt.Sprintf("%.1f", float64(size.Bytes)/(1<<20)))
	}
	measure.Header(&b, append(scales, "growth beyond the cache")...)
	measure.Line(&b, append(sizes, "")...)
	for _, c := range s.Growth {
		cells := []string{c.Kernel}
		for _, cost := range c.Nanoseconds {
			cells = append(cells, fmt.Sprintf("%.2f", cost))
		}
		measure.Line(&b, append(cells, c.verdict(s.beyondCache()))...)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lastCache is the size of the largest cache of the first processor; Linux only.
func lastCache() uint64 {
	var largest uint64
	for i := range 8 {
		text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu0/cache/index%d/size", i))
		if err != nil {
			break
		}
		kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(string(text)), "K"), 10, 64)
		if err == nil {
			largest = max(largest, kib<<10)
		}
	}
	return largest
}
