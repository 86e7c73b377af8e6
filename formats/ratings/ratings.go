// Package ratings reads what users say of items, as LIBMF and MovieLens publish it.
//
//	61 7 4.0                   user, item, rating       LIBMF
//	196	242	3	881250949      and when                 MovieLens 100K, u.data
//	1::1193::5::978300760                               MovieLens 1M and 10M, ratings.dat
//	userId,movieId,rating,timestamp                     MovieLens since: package csv reads files with a header
//
// Blanks, tabs, commas or two colons part the fields. An id is an integer in [0, 2^63), or a name that starts with a
// letter or _. All lines have as many fields as the first. Lines that start with #, % or // are comments.
package ratings

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/input"
)

// Names of properties.
const (
	Rating    = "rating"
	Timestamp = "timestamp"
)

const expectedFields = "a user, an item and a rating, parted by blanks, a tab, a comma or ::"

// source reads one file. It holds a batch for each of input.Lines.Parse's parsers.
type source struct {
	file   *input.File
	opts   formats.Options
	lines  *input.Lines
	schema formats.Schema
	width  int // fields on each line
}

// Open reads up to the first rating. It owns file from then on, and closes it when it fails. Edges lead from users to
// items; the two have ids of their own, see package bipartite.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &source{file: file, opts: opts, lines: file.Lines()}
	if err := s.readFirst(); err != nil {
		file.Close()
		return nil, err
	}
	fields := []arrow.Field{{Name: Rating, Type: arrow.PrimitiveTypes.Float64, Nullable: true}}
	if s.width == 4 {
		fields = append(fields, arrow.Field{Name: Timestamp, Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	}
	s.schema = formats.Schema{Orientation: formats.Directed, Edge: arrow.NewSchema(fields, nil), Vertices: -1, Edges: -1}
	return s, nil
}

func (s *source) readFirst() error {
	if !next(s.lines) {
		if err := s.lines.Err(); err != nil {
			return err
		}
		return &formats.ParseError{Position: s.file.At(0), Found: "no ratings", Expected: expectedFields + " on each line"}
	}
	var f fields
	s.width = f.count(s.lines.Bytes())
	if s.width < 3 {
		return s.lines.BadLine(expectedFields)
	}
	if s.width > 4 {
		return s.lines.Bad(0, fmt.Sprintf("%d fields", s.width), expectedFields+", and when that was")
	}
	s.lines.Back()
	return nil
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return s.file.Close() }

// Nodes yields nothing: ratings bring users and items into being.
func (s *source) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return s.lines.Parse(ctx, input.Blocks{Row: len("1 2 3\n")}, func() input.Parser {
		return &rows{edges: batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield), width: s.width}
	})
}

// next goes to the next line that holds a rating.
func next(lines *input.Lines) bool {
	for lines.Next() {
		if !edgelist.IsComment(lines.Bytes()) {
			return true
		}
	}
	return false
}

// hundredThousand are the names of MovieLens 100K's files, which are edge lists but for their names.
var hundredThousand = regexp.MustCompile(`^u([1-5ab])?\.(data|base|test)$`)

// Sniff is true when a file that begins with first is of ratings whatever its name says, or has a name that does.
func Sniff(first []byte, path string) bool {
	line, _, _ := bytes.Cut(first, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	var f fields
	width := f.count(line)
	numbers := true
	for range 2 {
		field, _ := f.next()
		_, integer := formats.ParseID(string(field))
		numbers = numbers && integer
	}
	stem, ending := input.SplitName(filepath.Base(path))
	return numbers && (width == 3 || width == 4) && (f.colons || width == 4 && hundredThousand.MatchString(stem+ending))
}
