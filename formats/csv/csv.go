// Package csv reads and writes property graphs as CSV files.
//
//	nodes.csv          :ID(Person),name,:LABEL                 ─┐
//	relationships.csv  :START_ID(Person),:END_ID(Person),:TYPE ─┴─▶ Open ─▶ formats.Source ─▶ Write
//
// Several files of nodes and of relationships make one graph; a file's header tells
// which it is. Headers may be those of neo4j-admin import, of Amazon Neptune, or
// plain "source,target,weight" for edges. A path "Person=people.csv" gives all nodes
// of the file a label, or all relationships a type.
//
// An empty field is null when it has no quotes, and an empty string or list when it
// has. Ids and numbers may have blanks around them. When nodes come in more than one
// id space, the id 7 of the space Person is the string id "Person:7".
//
// A source holds what input.Lines.Parse does; a record may have 16 MiB when it spans lines,
// and formats.MaxColumns fields. The name of an id space, which becomes a part of every id in
// it, may have 255 bytes.
package csv

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// file is one CSV file whose header is read.
type file struct {
	records
	header *header
	label  string // what the path names, "" for nothing
	spaces bool   // ids of named spaces carry the name
}

type source struct {
	inputs       []*input.File
	nodes, edges []*file
	schema       formats.Schema
	mem          memory.Allocator
}

// Open reads the headers of files, which belong to the source from then on, also when
// Open fails. What is wrong in a file is a *formats.ParseError, here or from the source.
func Open(_ context.Context, files []*input.File, opts formats.Options) (formats.Source, error) {
	s := &source{inputs: files, mem: opts.Mem()}
	if err := s.open(opts); err != nil {
		return nil, errors.Join(err, input.CloseAll(files))
	}
	return s, nil
}

func (s *source) open(opts formats.Options) error {
	for _, in := range s.inputs {
		f, err := openFile(in, opts.Delimiter, dialectsOf(opts))
		if err != nil {
			return err
		}
		if f.header.edges {
			s.edges = append(s.edges, f)
		} else {
			s.nodes = append(s.nodes, f)
		}
	}
	if err := s.resolveSpaces(); err != nil {
		return err
	}
	infer(s.nodes)
	infer(s.edges)
	return s.buildSchema()
}

func openFile(in *input.File, delimiter byte, dialects []dialect) (*file, error) {
	f := &file{records: newRecords(in.Lines(), delimiter), label: in.Label}
	if delimiter == 0 {
		f.delimiter = guessDelimiter(firstLine(in.Peek(64<<10)), dialects)
	}
	if !f.next() {
		if f.err != nil {
			return nil, f.err
		}
		return nil, &formats.ParseError{Position: in.At(0), Found: "an empty file", Expected: expectedHeader}
	}
	var err error
	f.header, err = readHeader(&f.records, dialects)
	return f, err
}

// resolveSpaces finds out whether ids need the name of their space, and whether
// relationships name spaces that exist.
func (s *source) resolveSpaces() error {
	declared := map[string]bool{}
	for _, f := range s.nodes {
		f.header.addSpaces(declared)
	}
	used := maps.Clone(declared)
	for _, f := range s.edges {
		f.header.addSpaces(used)
		for _, c := range f.header.columns {
			if c.space != "" && len(s.nodes) > 0 && !declared[c.space] {
				return &formats.ParseError{
					Position: c.at, Found: fmt.Sprintf("the id space %q", c.space),
					Expected: "one that nodes have: " + strings.Join(slices.Sorted(maps.Keys(declared)), ", "),
				}
			}
		}
	}
	several := len(declared) > 1 || len(s.nodes) == 0 && len(used) > 1
	for _, f := range slices.Concat(s.nodes, s.edges) {
		f.spaces = several
	}
	return nil
}

func (h *header) addSpaces(spaces map[string]bool) {
	for _, c := range h.columns {
		if c.role == nodeID || c.role == startID || c.role == endID {
			spaces[c.space] = true
		}
	}
}

func (s *source) buildSchema() (err error) {
	s.schema = formats.Schema{NodesDeclared: len(s.nodes) > 0, Vertices: -1, Edges: -1}
	if s.schema.Node, err = mergeSchemas(s.nodes); err != nil {
		return err
	}
	s.schema.Edge, err = mergeSchemas(s.edges)
	return err
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return input.CloseAll(s.inputs) }

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	for _, f := range s.nodes {
		if err := f.readNodes(ctx, s.mem, yield); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	for _, f := range s.edges {
		if err := f.readEdges(ctx, s.mem, yield); err != nil {
			return err
		}
	}
	return nil
}
