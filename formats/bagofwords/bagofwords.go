// Package bagofwords reads how often words stand in documents, as the UCI Machine Learning Repository publishes it.
//
//	3430        documents                         docword.kos.txt
//	6906        words
//	353160      lines that follow
//	1 61 2      document, word, how often: both count from 1
//
// A second file may name the words, one on each line: vocab.kos.txt.
package bagofwords

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// Names of properties: how often a word stands in a document, and the word.
const (
	Count = "count"
	Word  = "word"
)

const expectedEntry = "a document, a word and how often it stands there, parted by blanks"

// header is the first three lines of a file.
type header struct{ documents, words, entries int64 }

var headerLines = [3]string{"how many documents there are", "how many words there are", "how many lines follow"}

func readHeader(lines *input.Lines) (h header, err error) {
	for i, number := range []*int64{&h.documents, &h.words, &h.entries} {
		if !lines.Next() {
			if err := lines.Err(); err != nil {
				return h, err
			}
			return h, lines.Bad(0, "the end of the file", headerLines[i])
		}
		n, ok := formats.ParseID(string(bytes.TrimSpace(lines.Bytes())))
		if !ok || n == 0 {
			return h, lines.BadLine(headerLines[i] + ", an integer above 0")
		}
		*number = n
	}
	return h, nil
}

// source reads the entries of a file. It holds one batch.
type source struct {
	header
	file   *input.File
	opts   formats.Options
	lines  *input.Lines
	schema formats.Schema
}

// Open reads the header. It owns file from then on, and closes it when it fails. Edges lead from documents to words;
// the two have ids of their own, see package bipartite.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &source{file: file, opts: opts, lines: file.Lines()}
	var err error
	if s.header, err = readHeader(s.lines); err != nil {
		file.Close()
		return nil, err
	}
	count := arrow.Field{Name: Count, Type: arrow.PrimitiveTypes.Int64, Nullable: true}
	s.schema = formats.Schema{Orientation: formats.Directed, IntegerIDs: true,
		Edge: arrow.NewSchema([]arrow.Field{count}, nil), Vertices: -1, Edges: s.entries}
	return s, nil
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return s.file.Close() }

// Nodes yields nothing: entries bring documents and words into being.
func (s *source) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield)
	defer edges.Release()
	for read := int64(0); ; read++ {
		if !next(s.lines) {
			if err := s.lines.Err(); err != nil {
				return err
			}
			if read < s.entries {
				return s.lines.Bad(0, fmt.Sprintf("the end after %d entries", read),
					fmt.Sprintf("the %d that line 3 announces", s.entries))
			}
			return edges.Flush()
		}
		if read == s.entries {
			return s.lines.BadLine(fmt.Sprintf("the end after %d entries, as line 3 announces", s.entries))
		}
		if err := s.add(edges); err != nil {
			return err
		}
	}
}

// add adds the entry that lines is at.
func (s *source) add(edges *batch.Edges) error {
	var fields input.Fields
	fields.Reset(s.lines.Bytes())
	document, err := s.number(&fields, "document", s.documents)
	if err != nil {
		return err
	}
	word, err := s.number(&fields, "word", s.words)
	if err != nil {
		return err
	}
	count, err := s.number(&fields, "count", 1<<53)
	if err != nil {
		return err
	}
	if field, more := fields.Next(); more {
		return s.lines.Bad(fields.Column, input.Quote(field)+" after the count", "the end of the line")
	}
	edges.Int(0).Append(count)
	return edges.Add(document, word, s.lines.Number())
}

// number reads a field from 1 to most.
func (s *source) number(fields *input.Fields, what string, most int64) (int64, error) {
	field, ok := fields.Next()
	if !ok {
		return 0, s.lines.BadLine(expectedEntry)
	}
	n, ok := formats.ParseID(string(field))
	if !ok || n < 1 || n > most {
		return 0, s.lines.Bad(fields.Column, what+" "+input.Quote(field), fmt.Sprintf("a %s from 1 to %d", what, most))
	}
	return n, nil
}

// next goes to the next line that is not blank.
func next(lines *input.Lines) bool {
	for lines.Next() {
		if len(bytes.TrimSpace(lines.Bytes())) > 0 {
			return true
		}
	}
	return false
}

// Sniff is true when a file that begins with first has three lines of one number and then one of three fields.
func Sniff(first []byte, _ string) bool {
	for i := range 4 {
		line, rest, _ := bytes.Cut(first, []byte("\n"))
		first = rest
		words := bytes.Fields(line)
		if i < 3 && len(words) != 1 || i == 3 && len(words) != 3 {
			return false
		}
		if _, number := formats.ParseID(string(words[0])); i < 3 && !number {
			return false
		}
	}
	return true
}
