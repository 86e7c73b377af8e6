package clitest

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A computation is what a user asks for.
type computation struct {
	name      string
	arguments []string
	exact     bool // the result is the same to the last bit
	settles   bool // parts of the graph may go on by themselves, as the schedule scaph has them do
}

var (
	bfs           = computation{"bfs", []string{"bfs", "--param", "source=1"}, true, true}
	sssp          = computation{"sssp", []string{"sssp", "--param", "source=1"}, true, true}
	several       = computation{"several sources", []string{"sssp", "--sources", "1,2,5"}, true, true}
	wcc           = computation{"wcc", []string{"wcc"}, true, true}
	pagerank      = computation{"pagerank", []string{"pagerank", "--param", "iterations=5"}, false, false}
	pagerankDelta = computation{"pagerank-delta", []string{"pagerank-delta", "--param", "damping=0.5", "--param",
		"tolerance=0.5"}, false, false}

	// Programs of one's own: one whose messages are compared, and one that is a sum over all vertices as well.
	ownPaths = computation{"own paths", []string{"--process", "src.dist + edge.weight", "--reduce", "min",
		"--init", "id == source ? 0.0 : inf", "--param", "source=1"}, true, true}
	ownSums = computation{"own sums", []string{"--process", "src.x * edge.weight / (128.0 * double(src.out_degree))",
		"--reduce", "sum",
		"--init", "1.0 / double(id + 3)", "--apply", "0.3 * acc + 0.7 * agg.total / double(n)", "--aggregate",
		"total=self.x / 3.0",
		"--param", "iterations=4"}, false, false}
)

var procedures = []computation{
	{"triangles", []string{"triangles"}, true, false},
	{"lcc", []string{"lcc"}, false, false},
	{"k-core", []string{"k-core"}, true, false},
	{"cdlp", []string{"cdlp"}, true, false},
	{"scc", []string{"scc"}, true, false},
	{"betweenness", []string{"betweenness", "--param", "sources=8"}, false, false},
}

// What the card's procedures do not read is refused before the run, and says what does.
func TestResults_BetweennessByWeights(t *testing.T) {
	newHome(t).refused([]string{"run", "--graph", "small", "betweenness", "--param", "weight=weight", "--device", "cuda"},
		"device cuda", "betweenness by the edge property weight", "run it on the device cpu")
}

// All of the graph on the card.
func TestResults_Whole(t *testing.T) {
	h := newHome(t)
	for _, c := range append([]computation{bfs, sssp, several, wcc, pagerank, pagerankDelta, ownPaths, ownSums},
		procedures...) {
		for _, graph := range []string{"small", "directed"} {
			h.compare(c, graph, h.expect(c, graph))
		}
	}
}

// The card may hold a part of the chunks, by each schedule that there is.
func TestResults_Streamed(t *testing.T) {
	h := newHome(t)
	h.penstock("generate", "large", "--scale", "14", "--edge-factor", "8", "--weights", "--order", "none")
	for _, c := range []computation{bfs, sssp, wcc, pagerank, pagerankDelta, ownPaths, ownSums} {
		t.Run(c.name, func(t *testing.T) {
			h := h.of(t)
			want := h.expect(c, "large")
			asked := slices.Concat([]string{"--graph", "large"}, c.arguments)
			least, resident := h.estimate("minimum", asked...), h.estimate("resident", asked...)
			memory := fmt.Sprintf("%dB", least+(resident-least)*3/4) // not all chunks fit
			for _, schedule := range []string{"whole", "subway", "subway --synchronous", "scaph", "neugraph", "auto"} {
				flags := append([]string{"--device-memory", memory, "--schedule"}, strings.Fields(schedule)...)
				if schedule == "scaph" && !c.settles {
					h.refused(h.run("cuda", c, "large", flags...), "schedule scaph is not for", "use schedule auto")
					continue
				}
				report := h.compare(c, "large", want, flags...)
				if way, _, _ := strings.Cut(schedule, " "); !strings.Contains(report, "on cuda ("+way+",") {
					h.t.Errorf("%s was to be streamed by the schedule %s: %s", c.name, schedule, report)
				}
			}
		})
	}
}

// of is the same home for another test.
func (h *home) of(t *testing.T) *home {
	other := *h
	other.t = t
	return &other
}

// run are the arguments of a command that writes to a file called after the device.
func (h *home) run(device string, c computation, graph string, flags ...string) []string {
	return slices.Concat([]string{"run", "--graph", graph, "--device", device, "--out", h.file(device + ".csv")}, flags,
		c.arguments)
}

// expect is what the processor computes.
func (h *home) expect(c computation, graph string) [][]string {
	h.t.Helper()
	h.penstock(h.run("cpu", c, graph)...)
	return h.rows("cpu.csv")
}

// compare runs it on the card, and returns what the command says of it.
func (h *home) compare(c computation, graph string, want [][]string, flags ...string) (report string) {
	h.t.Helper()
	report = h.penstock(h.run("cuda", c, graph, flags...)...)
	if err := differs(h.rows("cuda.csv"), want, c.exact); err != nil {
		h.t.Errorf("%s on %s, %v: %v", c.name, graph, flags, err)
	}
	return report
}

func (h *home) rows(name string) [][]string {
	h.t.Helper()
	f, err := os.Open(h.file(name))
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		h.t.Fatal(err)
	}
	return rows
}

// differs names the first row that is another.
func differs(got, want [][]string, exact bool) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d rows; expected %d", len(got), len(want))
	}
	for i := range want {
		if !slices.EqualFunc(got[i], want[i], func(a, b string) bool { return a == b || !exact && near(a, b) }) {
			return fmt.Errorf("row %d is %v; expected %v", i, got[i], want[i])
		}
	}
	return nil
}

// tolerance is how far sums in another order may be apart, as a share; it is the conformance suite's.
const tolerance = 1e-9

func near(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && math.Abs(x-y) <= tolerance*max(math.Abs(x), math.Abs(y), tolerance)
}
