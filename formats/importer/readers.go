package importer

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/adjacency"
	"github.com/penstock-db/penstock/formats/bagofwords"
	"github.com/penstock-db/penstock/formats/csv"
	"github.com/penstock-db/penstock/formats/dimacs"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/graphalytics"
	"github.com/penstock-db/penstock/formats/input"
	"github.com/penstock-db/penstock/formats/mtx"
	"github.com/penstock-db/penstock/formats/parquet"
	"github.com/penstock-db/penstock/formats/svmlight"
)

// reader is one format: what it is called, how its files end, how they begin, and how
// they are opened. A reader takes opened files, and owns them also when it fails, or paths.
type reader struct {
	name    string
	endings []string
	begins  func(head []byte, name string) bool // nil: cannot be told from the content

	open      func(ctx context.Context, files []*input.File, opts formats.Options) (formats.Source, error)
	openPaths func(ctx context.Context, paths []string, opts formats.Options) (formats.Source, error)
	sides     *sides // nil: a graph has one type of vertices, unless the user says otherwise
}

// readers is in the order in which detection asks: unmistakable beginnings first.
var readers []*reader

func init() {
	readers = []*reader{
		{name: "mtx", endings: []string{".mtx"}, begins: beginsWith("%%matrixmarket "), open: single("mtx", mtx.Open)},
		{name: "bag-of-words", begins: looksLikeBagOfWords, open: single("bag-of-words", bagofwords.Open), sides: wordsInDocuments},
		{name: "libsvm", endings: []string{".svm", ".libsvm", ".svmlight"}, begins: svmlight.Sniff, open: single("libsvm", svmlight.Open), sides: featuresOfSamples},
		{name: "ratings", begins: sniffRatings, open: openRatings, sides: ratingsOfItems},
		{name: "dimacs", endings: []string{".gr"}, begins: looksLikeDimacs, open: single("dimacs", dimacs.Open)},
		{name: "graphalytics", endings: []string{".v", ".e", ".properties"}, openPaths: graphalytics.Open},
		{name: "webgraph", endings: []string{".graph-txt"}, open: single("webgraph", adjacency.OpenWebGraph)},
		{name: "metis", endings: []string{".graph", ".metis"}, open: single("metis", adjacency.OpenMetis)},
		{name: "adjacency", endings: []string{".adj", ".adjlist"}, open: single("adjacency", adjacency.Open)},
		{name: "adjacency-undirected", open: single("adjacency", adjacency.OpenUndirected)},
		{name: "edgelist", endings: []string{".el", ".wel", ".edges", ".edgelist", ".txt"}, begins: headerlessTable,
			open: single("edgelist", edgelist.Open)},
		{name: "parquet", endings: []string{".parquet"}, begins: beginsWith("PAR1"), openPaths: parquet.Open},
		{name: "csv", endings: []string{".csv", ".tsv"}, begins: csv.Sniff, open: csv.Open},
	}
}

// single opens a format that keeps a graph in one file.
func single(name string, open func(*input.File, formats.Options) (formats.Source, error)) func(context.Context,
	[]*input.File, formats.Options) (formats.Source, error) {
	return func(_ context.Context, files []*input.File, opts formats.Options) (formats.Source, error) {
		if len(files) == 1 {
			return open(files[0], opts)
		}
		second := &formats.ParseError{
			Position: files[1].At(0), Found: fmt.Sprintf("a second %s file", name),
			Expected: "one file: put all edges into it",
		}
		return nil, errors.Join(second, input.CloseAll(files))
	}
}

func byName(name string) *reader {
	for _, r := range readers {
		if r.name == name {
			return r
		}
	}
	return nil
}
