package importer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/klauspost/compress/gzip"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/parquet"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// count opens a graph by detection, or as opts.Format, and counts with leak-checked memory.
func count(t testing.TB, opts formats.Options, paths ...string) (nodes, edges int, err error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts.Allocator = mem
	src, err := Open(context.Background(), paths, opts)
	if err != nil {
		return 0, 0, err
	}
	return sourcetest.Count(src)
}

const (
	mtxSample = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"
	elsewhere = "" // of a format whose test is another one of this file
)

// detection has a sample of each format that is told from the name, or from the content whatever the name.
var detection = []struct {
	format, name, content string
	nodes, edges          int
}{
	{"edgelist", "g.txt", "# c\n1 2\n", 0, 1},
	{"edgelist", "g", "# c\n1\t2\n", 0, 1},
	{"edgelist", "g.dat", "1,2,0.5\n", 0, 1},
	{"edgelist", "g.csv", "1,2,0.5\n", 0, 1},
	{"edgelist", "g.tsv", "1\t2\n", 0, 1},
	{"edgelist", "g.el", "ann bob\n", 0, 1},
	{"mtx", "g.mtx", mtxSample, 2, 1},
	{"mtx", "g.txt", mtxSample, 2, 1},
	{"mtx", "g.mtx", "2 2 1\n1 2 3\n", 2, 1},
	{"dimacs", "g.gr", "p sp 2 1\na 1 2 3\n", 2, 1},
	{"dimacs", "g.txt", "c x\np tw 2 1\n1 2\n", 2, 1},
	{"metis", "g.graph", "2 1\n2\n1\n", 2, 1},
	{"webgraph", "g.graph-txt", "2\n1\n\n", 2, 1},
	{"adjacency", "g.adj", "1 2\n2\n", 2, 1},
	{"mtx", "G.MTX", mtxSample, 2, 1},
	{"ratings", "ratings.dat", "1::1193::5::978300760\n1::661::3::978302109\n", 3, 2},
	{"ratings", "u.data", "196\t242\t3\t881250949\n", 2, 1},
	{"ratings", "ratings.csv", "userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,1029,3,1260759179\n", 3, 2},
	{"libsvm", "a9a", "-1 3:1 11:1\n+1 5:0.5\n-1\n", 6, 3},
	{"libsvm", "x.txt", "# c\n1 1:1\n", 2, 1},
	{"bag-of-words", "docword.kos.txt", "2\n3\n2\n1 1 2\n2 3 1\n", 4, 2},
	{"adjacency", "g.adj", "1\n2\n3\n1 2 3\n", 4, 2},
	{"adjacency-undirected", elsewhere, "TestOpen_FormatOverrides", 0, 0},
	{"graphalytics", elsewhere, "TestOpen_Graphalytics", 0, 0},
	{"csv", elsewhere, "TestOpen_SeveralCSVFiles", 0, 0},
	{"parquet", elsewhere, "TestOpen_Parquet", 0, 0},
}

func TestOpen_Detection(t *testing.T) {
	sampled := map[string]bool{}
	for _, c := range detection {
		sampled[c.format] = true
		for _, archive := range []bool{false, true} {
			if c.name == elsewhere {
				continue
			}
			path := store(t, c.name, c.content, archive)
			nodes, edges, err := count(t, formats.Options{}, path)
			if err != nil || nodes != c.nodes || edges != c.edges {
				t.Errorf("%s %q: %d nodes, %d edges, %v", path, c.content, nodes, edges, err)
			}
		}
	}
	for _, format := range Formats() {
		if !sampled[format] {
			t.Errorf("format %s has no sample: add one to detection", format)
		}
	}
}

// store writes content into a file, compressed when wanted.
func store(t testing.TB, name, content string, archive bool) string {
	t.Helper()
	if !archive {
		return sourcetest.WriteFile(t, name, content)
	}
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sourcetest.WriteFile(t, name+".gz", packed.String())
}

func TestOpen_FormatOverrides(t *testing.T) {
	path := sourcetest.WriteFile(t, "lists.txt", "1 2 3\n2 1\n3 1\n")
	for format, want := range map[string]int{"adjacency": 4, "adjacency-undirected": 2} {
		if _, edges, err := count(t, formats.Options{Format: format}, path); err != nil || edges != want {
			t.Errorf("%s: %d edges, %v", format, edges, err)
		}
	}
}

func TestOpen_Graphalytics(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"g.v": "1\n2\n3\n", "g.e": "1 2\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v, e := filepath.Join(folder, "g.v"), filepath.Join(folder, "g.e")
	for _, paths := range [][]string{{v, e}, {e, v}, {e}} {
		if nodes, edges, err := count(t, formats.Options{}, paths...); err != nil || nodes != 3 || edges != 1 {
			t.Errorf("%v: %d nodes, %d edges, %v", paths, nodes, edges, err)
		}
	}
}

func TestOpen_SeveralCSVFiles(t *testing.T) {
	nodes := sourcetest.WriteFile(t, "nodes.csv", "id:ID,name\n1,ann\n2,bob\n")
	edges := sourcetest.WriteFile(t, "edges.csv", ":START_ID,:END_ID,:TYPE\n1,2,KNOWS\n")
	if n, m, err := count(t, formats.Options{}, nodes, edges); err != nil || n != 2 || m != 1 {
		t.Errorf("%d nodes, %d edges, %v", n, m, err)
	}
}

func TestOpen_Parquet(t *testing.T) {
	src, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 4, EdgeFactor: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := parquet.Write(context.Background(), src, folder, memory.DefaultAllocator); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, name := range parquet.Files {
		paths = append(paths, filepath.Join(folder, name))
	}
	if nodes, edges, err := count(t, formats.Options{}, paths...); err != nil || nodes != 16 || edges != 48 {
		t.Errorf("%d nodes, %d edges, %v", nodes, edges, err)
	}
}

// What --left and --right say makes a bipartite graph of edges.
func TestOpen_Sides(t *testing.T) {
	user, item := formats.Side{Label: "User"}, formats.Side{Label: "Item"}
	named := [2]formats.Side{{Label: "User", Column: "who"}, {Label: "Item", Column: "what"}}
	for _, c := range []struct {
		name, content, format string
		sides                 [2]formats.Side
		nodes                 []string
		edge                  string // of the schema
	}{
		{"g.txt", "1 1 3.5\n2 1 4\n", "", [2]formats.Side{user, item}, []string{"User:1", "User:2", "Item:1"}, "rating"},
		{"g.txt", "1 1 3.5\n2 1 4\n", "edgelist", [2]formats.Side{user, item}, []string{"User:1", "User:2", "Item:1"}, "weight"},
		{"g.txt", "1 1\n", "", [2]formats.Side{user, item}, []string{"User:1", "Item:1"}, ""},
		{"g.csv", "what,n,who\n1,2,ann\n", "", named, []string{"User:ann", "Item:1"}, "n"},
		{"g.csv", "source,target,note\n1,2,\"a,b\"\n", "", [2]formats.Side{user, item}, []string{"User:1", "Item:2"}, "note"},
		{"g.csv", "user,item,rating\n1,1,4\n1,2,3.5\n", "", [2]formats.Side{}, []string{"User:1", "Item:1", "Item:2"}, "rating"},
	} {
		src, err := Open(context.Background(), []string{sourcetest.WriteFile(t, c.name, c.content)},
			formats.Options{Format: c.format, Left: c.sides[0], Right: c.sides[1]})
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		edge := ""
		if src.Schema().Edge != nil {
			edge = src.Schema().Edge.Field(0).Name
		}
		var nodes []string
		if err := src.Nodes(context.Background(), func(b *formats.NodeBatch) error {
			for i := range b.ID.Len() {
				nodes = append(nodes, b.ID.Text(i))
			}
			return nil
		}); err != nil || !slices.Equal(nodes, c.nodes) || edge != c.edge {
			t.Errorf("%q: %v with %q, %v", c.content, nodes, edge, err)
		}
		src.Close()
	}
}

// A bag of words takes the words from the file beside it, whichever comes first.
func TestOpen_Vocabulary(t *testing.T) {
	docword := sourcetest.WriteFile(t, "docword.x.txt", "2\n3\n2\n1 1 2\n2 3 1\n")
	vocab := sourcetest.WriteFile(t, "vocab.x.txt", "apple\npear\nplum\n")
	for _, paths := range [][]string{{docword, vocab}, {vocab, docword}} {
		for _, format := range []string{"", "bag-of-words"} {
			if nodes, edges, err := count(t, formats.Options{Format: format}, paths...); err != nil || nodes != 5 || edges != 2 {
				t.Errorf("%v: %d nodes, %d edges, %v", paths, nodes, edges, err)
			}
		}
	}
	short := sourcetest.WriteFile(t, "short.txt", "apple\npear\n")
	want := short + ":2: the end after 2 words; expected 3 words, as " + docword + ":2 says"
	if _, _, err := count(t, formats.Options{}, docword, short); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, _, err := count(t, formats.Options{Format: "bag-of-words"}, docword, vocab, vocab); err == nil {
		t.Error("three files are taken")
	}
}

func TestOpen_BadSides(t *testing.T) {
	user, item := formats.Side{Label: "User"}, formats.Side{Label: "Item"}
	for _, c := range []struct {
		name, content string
		left, right   formats.Side
		want          string
	}{
		{"g.txt", "1 2 3\n", user, formats.Side{}, ": a bipartite graph of which one side has no label; expected labels of " +
			"both, or of a format of bipartite graphs of none"},
		{"g.mtx", mtxSample, user, item, ": a graph that declares its nodes; expected edges alone, whose ends are User and Item"},
		{"g.csv", "a,b,c\n1,2,3\n", formats.Side{Label: "User", Column: "a"}, formats.Side{Label: "Item", Column: "x"},
			`:1:1: "a"; expected columns "a" and "x" in the header`},
		{"g.csv", "userId,movieId,rating\n1,2,NaN\n", formats.Side{}, formats.Side{}, `:2:5: "NaN"; expected a finite number`},
		{"g.csv", "userId,movieId,rating\n1,2,1\n1,2,x\n", formats.Side{}, formats.Side{},
			`:3:5: "x"; expected a finite number`},
		{"x", "1 1:1\n2 0:1\n", formats.Side{}, formats.Side{},
			`:2:3: "0:1"; expected an index from 1 to 9223372036854775807, a colon and a finite value`},
	} {
		path := sourcetest.WriteFile(t, c.name, c.content)
		_, _, err := count(t, formats.Options{Left: c.left, Right: c.right}, path)
		if err == nil || strings.TrimPrefix(err.Error(), path) != c.want {
			t.Errorf("%q\ngot  %v\nwant %s", c.content, err, c.want)
		}
	}
}

// The published counts (README of the data set).
func TestOpen_AirRoutes(t *testing.T) {
	nodes, edges, err := count(t, formats.Options{},
		sourcetest.SharedData(t, "air-routes", "air-routes-latest-nodes.csv.gz"),
		sourcetest.SharedData(t, "air-routes", "air-routes-latest-edges.csv.gz"))
	if err != nil || nodes != 3749 || edges != 57645 {
		t.Errorf("%d nodes, %d edges, %v", nodes, edges, err)
	}
}

func TestOpen_Progress(t *testing.T) {
	path := sourcetest.WriteFile(t, "g.txt", strings.Repeat("1 2\n", 1000))
	var read, total int64
	_, _, err := count(t, formats.Options{Progress: func(r, all int64) { read, total = r, all }}, path)
	if err != nil || read != 4000 || total != 4000 {
		t.Errorf("%d of %d bytes, %v", read, total, err)
	}
}

func TestOpen_Cancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	src, err := Open(ctx, []string{sourcetest.WriteFile(t, "g.txt", strings.Repeat("1 2\n", 3*formats.BatchRows))},
		formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	batches := 0
	err = src.Edges(ctx, func(*formats.EdgeBatch) error {
		batches++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || batches != 1 {
		t.Errorf("%d batches, %v", batches, err)
	}
}

// What the consumer says ends the stream and comes back as it is.
func TestOpen_YieldError(t *testing.T) {
	full := errors.New("disk full")
	src, err := Open(context.Background(), []string{sourcetest.WriteFile(t, "g.gr", "p tw 2 1\n1 2\n")}, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := src.Nodes(context.Background(), func(*formats.NodeBatch) error { return full }); !errors.Is(err, full) {
		t.Errorf("nodes: %v", err)
	}
	if err := src.Edges(context.Background(), func(*formats.EdgeBatch) error { return full }); !errors.Is(err, full) {
		t.Errorf("edges: %v", err)
	}
}

func TestOpen_Bad(t *testing.T) {
	known := "; expected one of the formats " + strings.Join(Formats(), ", ") + "; name it when the file does not tell"
	for _, c := range []struct{ name, content, want string }{
		{"g", "", ": an empty file" + known},
		{"g.json", "{}", ": a file of unknown format" + known},
		{"g", "\x7fELF\x00", ": binary data of unknown format" + known},
		{"g.txt", "", ": no edges; expected a source and a target parted by a tab, blanks or a comma on each line"},
		{"g.txt", "1\n", `:1: "1"; expected a source and a target parted by a tab, blanks or a comma`},
		{"g.txt", "\x00\x01", ":1: binary data; expected text"},
		{"g", "\x1f\x8b\x08\x00", ": truncated gzip archive; expected an intact one: fetch or copy it again: unexpected EOF"},
	} {
		path := sourcetest.WriteFile(t, c.name, c.content)
		_, _, err := count(t, formats.Options{}, path)
		var parse *formats.ParseError
		if !errors.As(err, &parse) || strings.TrimPrefix(err.Error(), path) != c.want {
			t.Errorf("%s %q\ngot  %v\nwant %s", c.name, c.content, err, c.want)
		}
	}
}

func TestOpen_BadPaths(t *testing.T) {
	text, mtx := sourcetest.WriteFile(t, "g.txt", "1 2\n"), sourcetest.WriteFile(t, "g.mtx", "1 1 0\n")
	for want, paths := range map[string][]string{
		"input: no files; expected at least one":                                                                                       nil,
		text + ": a second edgelist file; expected one file: put all edges into it":                                                    {text, text},
		mtx + ": a file of another kind than " + text + ", which is edgelist; expected files of one format, or the format to be named": {text, mtx},
	} {
		if _, _, err := count(t, formats.Options{}, paths...); err == nil || err.Error() != want {
			t.Errorf("%v\ngot  %v\nwant %s", paths, err, want)
		}
	}
}

func TestOpen_UnknownFormat(t *testing.T) {
	path := sourcetest.WriteFile(t, "g.txt", "1 2\n")
	for name, suggestion := range map[string]string{"edgelst": "edgelist", "mtx2": "mtx", "graphml": ""} {
		_, _, err := count(t, formats.Options{Format: name}, path)
		var unknown *UnknownFormatError
		if !errors.As(err, &unknown) || unknown.Name != name || unknown.Suggestion != suggestion {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(err.Error(), "known are "+strings.Join(Formats(), ", ")) {
			t.Errorf("%v", err)
		}
	}
}

func TestFormats_Sorted(t *testing.T) {
	if names := Formats(); !slices.IsSorted(names) || !slices.Contains(names, "edgelist") {
		t.Errorf("%v", names)
	}
}

// The files of the issue are recognized without help.
func TestOpen_SharedData(t *testing.T) {
	for _, c := range []struct {
		path         []string
		nodes, edges int
	}{
		{[]string{"wiki-Vote", "wiki-Vote.txt"}, 0, 103689},
		{[]string{"facebook_combined", "facebook_combined.txt"}, 0, 88234},
		{[]string{"soc-sign-bitcoin-otc", "edges.csv.gz"}, 0, 35592},
		{[]string{"cnr-2000", "cnr-2000.graph-txt.gz"}, 325557, 3216152},
		{[]string{"road-dimacs9", "NY.gr.txt.gz"}, 264346, 365050},
		{[]string{"lagraph-data", "karate.mtx"}, 34, 78},
		{[]string{"p2p-31-graphalytics", "p2p-31.v.gz"}, 62586, 147892},
		{[]string{"libsvm-a9a", "a9a"}, 32561 + 123, 451592},
		{[]string{"uci-kos", "docword.kos.txt.gz"}, 3430 + 6906, 353160},
		{[]string{"gapbs-test", "graphs", "4.wel"}, 0, 256},
		{[]string{"gapbs-test", "graphs", "4.mtx"}, 14, 256},
	} {
		nodes, edges, err := count(t, formats.Options{}, sourcetest.SharedData(t, c.path...))
		if err != nil || nodes != c.nodes || edges != c.edges {
			t.Errorf("%v: %d nodes, %d edges, %v", c.path, nodes, edges, err)
		}
	}
}

// FuzzOpen lets detection choose: whatever the content, an error is a ParseError.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{"1 2\n", "p tw 2 1\n1 2\n", "%%MatrixMarket matrix array real general\n1 1\n1\n",
		":ID,a\n1,2\n", "PAR1", "\x1f\x8b", "1::2::3\n", "1 1:1\n", "1\n1\n1\n1 1 1\n", "user,item,rating\n1,2,3\n"} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "input")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var src formats.Source
		var err error
		sourcetest.CheckAllocated(t, len(content), func() {
			src, err = Open(context.Background(), []string{path}, formats.Options{Memory: sourcetest.FuzzMemory})
		})
		var parse *formats.ParseError
		if err != nil && (!errors.As(err, &parse) || parse.File != path) {
			t.Errorf("error %v of type %T does not name the file", err, err)
		}
		if err == nil {
			src.Close()
		}
	})
}
