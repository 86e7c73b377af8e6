package dense

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// WriteMarkdown writes a table for each kernel, where the devices cross, and how near auto is to the better of the two.
func (d *Dense) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	d.Preamble(&b)
	b.WriteString(
		"\nMilliseconds, medians of runs on a warm device, in an order drawn anew each round: in all, and of that computing; of npu, making the graph resident, which is building\n" +
			"its matrix, as well. Cold: the run that launches the device and reads the graph. Foretold: what auto chose, cold, before either device had run\n" +
			"on this graph, and how long that device takes, cold, over the better.\n")
	for _, kernel := range d.kernels() {
		fmt.Fprintf(&b, "\n## %s\n\n", kernel)
		measure.Header(&b, "graph", "vertices", "edges each", "fill", "cpu", "computing", "npu", "computing", "converting",
			"cpu / npu", "auto", "auto / better", "foretold", "cold: cpu", "npu")
		for _, r := range d.Rows {
			if r.Kernel == kernel {
				r.markdown(&b)
			}
		}
	}
	d.crossings(&b)
	d.nearness(&b)
	for _, why := range d.LeftOut {
		fmt.Fprintf(&b, "\nLeft out: %s.\n", why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (d *Dense) kernels() (names []string) {
	for _, r := range d.Rows {
		if !slices.Contains(names, r.Kernel) {
			names = append(names, r.Kernel)
		}
	}
	return names
}

func (r DenseRow) markdown(b *strings.Builder) {
	ms := func(s float64) string { return fmt.Sprintf("%.2f", s*1e3) }
	npu := []string{"does not fit", "", "", "", ""}
	if r.NPU.Cold.Seconds > 0 {
		npu[0], npu[4] = "given up", ms(r.NPU.Cold.Seconds)
	}
	if r.NPU.Refused == "" {
		npu = []string{ms(r.NPU.median(whole)), ms(r.NPU.median(inKernels)), ms(r.NPU.median(converting)),
			fmt.Sprintf("%.2f", r.CPU.median(whole)/r.NPU.median(whole)), ms(r.NPU.Cold.Seconds)}
	}
	measure.Line(b, r.Kind, fmt.Sprint(int(1)<<r.Scale), fmt.Sprint(r.Factor), fmt.Sprintf("%.3g %%", 100*r.Fill),
		ms(r.CPU.median(whole)), ms(r.CPU.median(inKernels)),
		npu[0], npu[1], npu[2], npu[3], fmt.Sprintf("%s (%s)", ms(r.Auto.median(whole)), r.chosen()),
		fmt.Sprintf("%.2f", r.Auto.median(whole)/r.better()),
		fmt.Sprintf("%s, %.2f", r.Foretold, r.foretold()), ms(r.CPU.Cold.Seconds), npu[4])
}

// series are the rows of a kernel on graphs of one kind and size, by edges.
func (d *Dense) series(do func(all []DenseRow)) {
	type key struct {
		kernel, kind string
		scale        int
	}
	var keys []key
	by := map[key][]DenseRow{}
	for _, r := range d.Rows {
		k := key{r.Kernel, r.Kind, r.Scale}
		if by[k] == nil {
			keys = append(keys, k)
		}
		by[k] = append(by[k], r)
	}
	for _, k := range keys {
		do(by[k])
	}
}

// crossing is from how many edges a vertex on the dense device is the sooner, by what is compared; 0: never.
func crossing(all []DenseRow, of func(Turn) float64) int {
	for i := len(all) - 1; i >= 0; i-- {
		r := all[i]
		if r.NPU.Refused != "" || r.NPU.median(of) >= r.CPU.median(of) {
			if i == len(all)-1 {
				return 0
			}
			return all[i+1].Factor
		}
	}
	return all[0].Factor
}

// crossings says where the dense device begins to be the sooner, with what it takes to convert the graph and without.
func (d *Dense) crossings(b *strings.Builder) {
	b.WriteString("\n## From how many edges a vertex on npu is the sooner\n\n")
	measure.Header(b, "kernel", "graph", "vertices", "the whole run", "computing alone", "npu's share of converting")
	from := func(factor int) string {
		if factor == 0 {
			return "never"
		}
		return fmt.Sprint(factor)
	}
	d.series(func(all []DenseRow) {
		var taken, converted float64
		for _, r := range all {
			if r.NPU.Refused == "" {
				taken, converted = taken+r.NPU.median(whole), converted+r.NPU.median(converting)
			}
		}
		share := "–"
		if taken > 0 {
			share = fmt.Sprintf("%.0f %%", 100*converted/taken)
		}
		measure.Line(b, all[0].Kernel, all[0].Kind, fmt.Sprint(int(1)<<all[0].Scale), from(crossing(all, whole)),
			from(crossing(all, inKernels)), share)
	})
}

// nearness says how near auto is to the better device.
func (d *Dense) nearness(b *strings.Builder) {
	within := func(of func(DenseRow) float64) (n int, worst float64) {
		for _, r := range d.Rows {
			ratio := of(r)
			if worst = max(worst, ratio); ratio <= 1.1 {
				n++
			}
		}
		return n, worst
	}
	n, worst := within(func(r DenseRow) float64 { return r.Auto.median(whole) / r.better() })
	fmt.Fprintf(
		b, "\nauto took at most a tenth longer than the better device on %d of %d rows, at worst %.2f times as long.\n", n,
		len(d.Rows), worst)
	n, worst = within(DenseRow.choice)
	fmt.Fprintf(
		b, "The device that it has chosen takes, by its own runs, at most a tenth longer on %d of %d rows, at worst %.2f times as long: the rest is noise, and choosing.\n", n, len(d.Rows), worst)
	n, worst = within(DenseRow.foretold)
	fmt.Fprintf(
		b, "The device that it foretold, before either had run on the graph, was such a one on %d of %d rows, at worst %.2f times as long.\n", n, len(d.Rows), worst)
}
