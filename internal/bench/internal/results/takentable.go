package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// takenTable is the table of what limited processes took, if that is known.
func (g Graph) takenTable(b *strings.Builder, memory uint64) {
	began := false
	for _, row := range slices.Concat(g.Kernels, g.Data) {
		for _, t := range row.Ways {
			if t.Taken == (measure.Taken{}) {
				continue
			}
			if !began {
				fmt.Fprintf(b, "\nThe chunks are %.1f times the memory that all processes of a command may take together.\n\n",
					float64(g.Bytes)/float64(memory))
				measure.Header(b, "", "way", "peak memory, MiB", "read from storage, MiB", "times the chunks",
					"chunks past the cache", "through it")
				began = true
			}
			measure.Line(b, row.Name, t.Name, mebibytes(t.Peak), mebibytes(t.Read),
				fmt.Sprintf("%.2f", float64(t.Read)/float64(g.Bytes)), chunks(t.Uncached), chunks(t.Cached))
		}
	}
}

// chunks is empty for other programs, which have none.
func chunks(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func mebibytes(bytes uint64) string { return fmt.Sprintf("%.1f", float64(bytes)/(1<<20)) }
