package bagofwords

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/bipartite"
	"github.com/penstock-db/penstock/formats/input"
)

// Vocabulary are the words in file vocabulary, which are as many as file docword says.
func Vocabulary(vocabulary, docword string, opts formats.Options) *bipartite.Rows {
	opts.Progress = nil
	return &bipartite.Rows{
		Field: arrow.Field{Name: Word, Type: arrow.BinaryTypes.String, Nullable: true},
		Open: func() (bipartite.Reader, error) {
			counted, err := input.Open(docword, nil, opts)
			if err != nil {
				return nil, err
			}
			defer counted.Close()
			h, err := readHeader(counted.Lines())
			if err != nil {
				return nil, err
			}
			file, err := input.Open(vocabulary, nil, opts)
			if err != nil {
				return nil, err
			}
			return &words{file: file, lines: file.Lines(), count: h.words, counted: counted.At(2)}, nil
		},
	}
}

type words struct {
	file    *input.File
	lines   *input.Lines
	count   int64
	counted formats.Position // where count stands
}

func (w *words) Close() error { return w.file.Close() }

func (w *words) Next(to array.Builder) (line int64, err error) {
	if !w.lines.Next() {
		if err := w.lines.Err(); err != nil {
			return 0, err
		}
		if w.lines.Number() < w.count {
			return 0, w.wrong(fmt.Sprintf("the end after %d words", w.lines.Number()))
		}
		return 0, io.EOF
	}
	if w.lines.Number() > w.count {
		return 0, w.wrong("another word")
	}
	word := bytes.TrimSpace(w.lines.Bytes())
	if !utf8.Valid(word) {
		return 0, w.lines.Bad(0, "binary data", "UTF-8 text")
	}
	to.(*array.StringBuilder).BinaryBuilder.Append(word)
	return w.lines.Number(), nil
}

func (w *words) wrong(found string) error {
	return w.lines.Bad(0, found, fmt.Sprintf("%d words, as %s says", w.count, w.counted))
}
