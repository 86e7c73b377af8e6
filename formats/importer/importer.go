// Package importer opens graph files of any format that Penstock reads.
//
//	paths ──▶ input.OpenAll ──▶ detect (name, first bytes, or Options.Format) ──▶ one reader ──▶ formats.Source
//
// It holds no data of its own; each reader's package tells its bound.
package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// UnknownFormatError says that Options.Format names no format.
type UnknownFormatError struct {
	Name       string
	Suggestion string // the known name that is nearest, "" when none is near
}

func (e *UnknownFormatError) Error() string {
	hint := ""
	if e.Suggestion != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", e.Suggestion)
	}
	return fmt.Sprintf("unknown format %q%s; known are %s", e.Name, hint, strings.Join(Formats(), ", "))
}

// Open opens the files of one graph. The format is opts.Format, or is told from the
// names and the first bytes. "-" is standard input. What cannot be told is a
// *formats.ParseError that lists the formats.
func Open(ctx context.Context, paths []string, opts formats.Options) (formats.Source, error) {
	if len(paths) == 0 {
		return nil, &formats.ParseError{Position: formats.Position{File: "input"}, Found: "no files",
			Expected: "at least one"}
	}
	files, err := input.OpenAll(paths, opts)
	if err != nil {
		return nil, err
	}
	r, err := choose(files, opts)
	if err != nil {
		return nil, errors.Join(err, input.CloseAll(files))
	}
	if r.sides != nil || opts.Left != (formats.Side{}) || opts.Right != (formats.Side{}) {
		return openSides(ctx, r, files, paths, opts)
	}
	if r.openPaths != nil {
		if err := input.CloseAll(files); err != nil {
			return nil, err
		}
		return r.openPaths(ctx, paths, opts)
	}
	return r.open(ctx, files, opts)
}

// Formats lists the names that Options.Format may have, in alphabetical order.
func Formats() []string {
	names := make([]string, len(readers))
	for i, r := range readers {
		names[i] = r.name
	}
	slices.Sort(names)
	return names
}

func choose(files []*input.File, opts formats.Options) (*reader, error) {
	name := opts.Format
	if name == "" {
		return detect(files, opts)
	}
	if r := byName(name); r != nil {
		return r, nil
	}
	unknown := &UnknownFormatError{Name: name}
	best := 3 // at most two letters away
	for _, known := range Formats() {
		if d := levenshtein.ComputeDistance(name, known); d < best {
			best, unknown.Suggestion = d, known
		}
	}
	return nil, unknown
}
