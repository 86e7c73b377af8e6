package importer

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/input"
)

// reader is one format: what it is called, how its files end, how they begin, and
// how they are opened. A reader takes opened files, and owns them, or paths.
type reader struct {
	name    string
	endings []string
	begins  func(head []byte, name string) bool // nil: cannot be told from the content

	open      func(ctx context.Context, files []*input.File, opts formats.Options) (formats.Source, error)
	openPaths func(ctx context.Context, paths []string, opts formats.Options) (formats.Source, error)
}

// readers is in the order in which detection asks: unmistakable beginnings first.
var readers []*reader

func init() {
	readers = []*reader{
		{name: "edgelist", endings: []string{".el", ".wel", ".edges", ".txt"}, begins: looksLikeEdges, open: single("edgelist", edgelist.Open)},
	}
}

// single opens a format that keeps a graph in one file.
func single(name string, open func(*input.File, formats.Options) (formats.Source, error)) func(context.Context, []*input.File, formats.Options) (formats.Source, error) {
	return func(_ context.Context, files []*input.File, opts formats.Options) (formats.Source, error) {
		if len(files) == 1 {
			return open(files[0], opts)
		}
		input.CloseAll(files)
		return nil, &formats.ParseError{
			Position: files[1].At(0), Found: fmt.Sprintf("a second %s file", name),
			Expected: "one file: put all edges into it",
		}
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
