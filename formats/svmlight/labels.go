package svmlight

import (
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/bipartite"
	"github.com/penstock-db/penstock/formats/input"
)

// Labels are the labels of the samples of a file.
func Labels(path string, opts formats.Options) *bipartite.Rows {
	return &bipartite.Rows{
		Field: arrow.Field{Name: Label, Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		Open: func() (bipartite.Reader, error) {
			opts.Progress = nil
			file, err := input.Open(path, nil, opts)
			if err != nil {
				return nil, err
			}
			return &labels{file, file.Lines()}, nil
		},
	}
}

type labels struct {
	file  *input.File
	lines *input.Lines
}

func (l *labels) Close() error { return l.file.Close() }

func (l *labels) Next(to array.Builder) (line int64, err error) {
	if !next(l.lines) {
		if err := l.lines.Err(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	var fields input.Fields
	x, err := label(l.lines, &fields)
	if err != nil {
		return 0, err
	}
	to.(*array.Float64Builder).Append(x)
	return l.lines.Number(), nil
}
