package catalog_test

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
)

// sharedData is the folder ../shared/data beside the module. Tests that need it are skipped where it is absent. The
// graphs are large, and nothing here goes on at once for the race detector to see.
func sharedData(t *testing.T, elem ...string) string {
	t.Helper()
	long.Unraced(t)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	data := filepath.Join(dir, "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skip("needs published graphs in ../shared/data beside the checkout: see CONTRIBUTING.md")
	}
	return filepath.Join(append([]string{data}, elem...)...)
}

// rows reads a file of fields separated by blanks; # and % begin comments. A file that is
// not there is tried with .gz after its name.
func rows(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		file, err = os.Open(path + ".gz")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var reader io.Reader = file
	if strings.HasSuffix(file.Name(), ".gz") {
		if reader, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	var rows [][]string
	for lines := bufio.NewScanner(reader); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 0 && !strings.ContainsAny(fields[0][:1], "#%") {
			rows = append(rows, fields)
		}
	}
	return rows
}

// builder collects a graph by user ids.
type builder struct {
	ids      []int64
	position map[int64]uint32
	edges    []algorithms.Edge
}

func newBuilder() *builder { return &builder{position: map[int64]uint32{}} }

func (b *builder) vertex(t *testing.T, text string) uint32 {
	t.Helper()
	id := parseID(t, text)
	if _, known := b.position[id]; !known {
		b.position[id] = uint32(len(b.ids))
		b.ids = append(b.ids, id)
	}
	return b.position[id]
}

// edge adds an edge from fields: source, target and perhaps a weight.
func (b *builder) edge(t *testing.T, fields []string) {
	t.Helper()
	e := algorithms.Edge{Src: b.vertex(t, fields[0]), Dst: b.vertex(t, fields[1])}
	if len(fields) > 2 {
		e.Weights = map[string]float64{"weight": parseFloat(t, fields[2])}
	}
	b.edges = append(b.edges, e)
}

func (b *builder) graph(directed bool) *algorithms.Graph {
	return algorithms.NewGraph(directed, b.ids, b.edges)
}

// graphalyticsGraph reads NAME.v and NAME.e.
func graphalyticsGraph(t *testing.T, name string, directed bool) *algorithms.Graph {
	t.Helper()
	b := newBuilder()
	for _, row := range rows(t, name+".v") {
		b.vertex(t, row[0])
	}
	for _, row := range rows(t, name+".e") {
		b.edge(t, row)
	}
	return b.graph(directed)
}

func parseID(t *testing.T, text string) int64 {
	t.Helper()
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
