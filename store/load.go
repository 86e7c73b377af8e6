package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
)

// LoadOptions say how to load a graph. The zero value suits most.
type LoadOptions = load.Options

// MemoryError says that a load needs more memory than it may take.
type MemoryError = load.MemoryError

// Load stores the graph that src streams and makes it the current snapshot of the
// name graph; src is not closed. Whatever goes wrong, the database stays as it was.
//
// Errors: *GraphNameError, *GraphExistsError, *formats.ParseError for an edge to an
// undeclared node or a node declared twice, *TooLargeError, *OrderError, *MemoryError,
// *DiskFullError, and what src returns.
func (db *DB) Load(ctx context.Context, graph string, src formats.Source, opts load.Options) (*manifest.Manifest,
	error) {
	if err := checkName(graph); err != nil {
		return nil, err
	}
	_, found := db.current(graph)
	if err := checkReplace(graph, found, opts.Replace); err != nil {
		return nil, err
	}
	return db.write(ctx, graph, func(g *writing) (*manifest.Manifest, error) {
		_, found := db.current(graph) // again, now that nobody else writes
		if err := checkReplace(graph, found, opts.Replace); err != nil {
			return nil, err
		}
		m, err := load.Run(ctx, g.Generation, src, opts, nil, directory.Temp(db.dir))
		return m, space.DiskFull(db.dir, err)
	})
}

// checkReplace refuses to load a graph that there is, unless it is to be replaced. err is what reading its manifest
// gave.
func checkReplace(graph string, err error, replace bool) error {
	var unknown *failure.UnknownGraphError
	var damaged *failure.DamagedError
	switch {
	case errors.As(err, &unknown):
		return nil
	case err == nil || errors.As(err, &damaged):
		if replace {
			return nil
		}
		return &failure.GraphExistsError{Graph: graph}
	}
	return err
}

// maxName is the longest graph name, in bytes.
const maxName = 255

// checkName refuses graph names that cannot be typed or shown.
func checkName(graph string) error {
	switch {
	case graph == "":
		return &failure.GraphNameError{Name: graph, Reason: "is empty; give the graph a name"}
	case len(graph) > maxName:
		return &failure.GraphNameError{Name: graph[:32] + "…", Reason: fmt.Sprintf("is longer than %d bytes", maxName)}
	case !utf8.ValidString(graph):
		return &failure.GraphNameError{Name: graph, Reason: "is not valid UTF-8"}
	case strings.IndexFunc(graph, unicode.IsControl) >= 0:
		return &failure.GraphNameError{Name: graph, Reason: "holds a control character"}
	}
	return nil
}
