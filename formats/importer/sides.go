package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/bagofwords"
	"github.com/penstock-db/penstock/formats/bipartite"
	"github.com/penstock-db/penstock/formats/csv"
	"github.com/penstock-db/penstock/formats/input"
	"github.com/penstock-db/penstock/formats/ratings"
	"github.com/penstock-db/penstock/formats/svmlight"
)

// sides is what a format of bipartite graphs calls the types of their vertices, and their edges.
type sides struct {
	left, right, edges string
	// rows finds properties of vertices, and leaves of paths those that hold edges. Nil: there are none.
	rows func(in *bipartite.Input, files []*input.File, opts formats.Options) error
}

var (
	ratingsOfItems    = &sides{left: "User", right: "Item", edges: "RATED"}
	featuresOfSamples = &sides{left: "Sample", right: "Feature", edges: "HAS", rows: labelsOfSamples}
	wordsInDocuments  = &sides{left: "Document", right: "Word", edges: "CONTAINS", rows: namesOfWords}
	namedByUser       = &sides{edges: "RATED"}
)

// openSides opens a bipartite graph. It closes files.
func openSides(ctx context.Context, r *reader, files []*input.File, paths []string, opts formats.Options) (
	formats.Source, error) {
	in, err := sidesOf(r, files, paths, &opts)
	if err = errors.Join(err, input.CloseAll(files)); err != nil {
		return nil, err
	}
	in.Edges = func(opts formats.Options) (formats.Source, error) {
		if r.openPaths != nil {
			return r.openPaths(ctx, in.Paths, opts)
		}
		again, err := input.OpenAll(in.Paths, opts)
		if err != nil {
			return nil, err
		}
		return r.open(ctx, again, opts)
	}
	return bipartite.Open(ctx, in, opts)
}

// sidesOf is what the format and the user say of the sides. What the user does not say is added to opts.
func sidesOf(r *reader, files []*input.File, paths []string, opts *formats.Options) (bipartite.Input, error) {
	s := r.sides
	if s == nil {
		s = namedByUser
	}
	if opts.Left.Label == "" && opts.Right.Label == "" {
		opts.Left.Label, opts.Right.Label = s.left, s.right
	}
	in := bipartite.Input{Paths: paths, Left: bipartite.Side{Label: opts.Left.Label},
		Right: bipartite.Side{Label: opts.Right.Label}, Type: s.edges}
	if opts.Left.Label == "" || opts.Right.Label == "" {
		return in, &formats.ParseError{Position: files[0].At(0), Found: "a bipartite graph of which one side has no label",
			Expected: "labels of both, or of a format of bipartite graphs of none"}
	}
	if s.rows == nil {
		return in, nil
	}
	return in, s.rows(&in, files, *opts)
}

func labelsOfSamples(in *bipartite.Input, _ []*input.File, opts formats.Options) error {
	in.Left.Rows = svmlight.Labels(in.Paths[0], opts)
	return nil
}

// namesOfWords takes the vocabulary from paths.
func namesOfWords(in *bipartite.Input, files []*input.File, opts formats.Options) error {
	if len(files) == 1 {
		return nil
	}
	if len(files) > 2 {
		return &formats.ParseError{Position: files[2].At(0), Found: fmt.Sprintf("%d files of a bag of words", len(files)),
			Expected: "one, and at most one of its words"}
	}
	at := max(0, docword(files))
	in.Right.Rows = bagofwords.Vocabulary(in.Paths[1-at], in.Paths[at], opts)
	in.Paths = slices.Clone(in.Paths[at : at+1])
	return nil
}

func sniffRatings(head []byte, path string) bool {
	return csv.SniffRatings(head) || ratings.Sniff(head, path)
}

// openRatings opens files with a header as CSV.
func openRatings(ctx context.Context, files []*input.File, opts formats.Options) (formats.Source, error) {
	if csv.SniffRatings(files[0].Peek(headBytes)) {
		return csv.Open(ctx, files, opts)
	}
	return single("ratings", ratings.Open)(ctx, files, opts)
}
