// Package failure has the errors that every part of the store returns: typed, and with advice for the user.
package failure

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/formats/chunk"
)

// ErrConflict is the kind of a *ConflictError.
var ErrConflict = errors.New("the graph has changed meanwhile")

// MissingError says that there is no database at Dir.
type MissingError struct{ Dir string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("no database at %s; create one by loading a graph into it", e.Dir)
}

// LockedError says that another process has the database open.
type LockedError struct {
	Dir string
	PID int // of the process that holds it; 0: unknown
}

func (e *LockedError) Error() string {
	holder := "another process"
	if e.PID != 0 {
		holder = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("database %s is in use by %s; wait for it to end or stop it", e.Dir, holder)
}

// NotDatabaseError says that Dir is something, but no penstock database.
type NotDatabaseError struct {
	Dir   string
	Found string // a file in it; "": Dir is a file itself
}

func (e *NotDatabaseError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("%s is a file, but a penstock database is a directory; choose an empty or new one", e.Dir)
	}
	return fmt.Sprintf("%s is not a penstock database (it holds %s); choose an empty or new directory", e.Dir, e.Found)
}

// DamagedError says which stored piece is not what was once written, or is of a later version of its format. Other
// graphs are not affected, unless it is of the database as a whole.
type DamagedError struct {
	Graph  string // "": the database as a whole
	Kind   string // "manifest", "out-chunk", "column rank", …
	Number int64  // of the chunk or block; -1: there is only one
	Err    error
}

func (e *DamagedError) Error() string {
	piece := e.Kind
	if e.Number >= 0 {
		piece = fmt.Sprintf("%s %d", e.Kind, e.Number)
	}
	whole, state := "the database", "is damaged"
	if e.Graph != "" {
		whole = fmt.Sprintf("graph %q", e.Graph)
	}
	if later := new(*chunk.VersionError); errors.As(e.Err, later) { // there is nothing wrong with it
		state = "cannot be read"
	}
	return fmt.Sprintf("%s %s: %s: %v", whole, state, piece, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// DamagedDatabaseError says that a database was not opened for writing, as its files are not what was written.
// Nothing was changed. It can be opened with Options.ReadOnly.
type DamagedDatabaseError struct {
	Dir    string
	Damage []error // each is a *DamagedError
}

// shownDamage is how many pieces an error names.
const shownDamage = 5

func (e *DamagedDatabaseError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "database %s is damaged, and nothing in it was changed:", e.Dir)
	for i, damage := range e.Damage {
		if i == shownDamage {
			fmt.Fprintf(&text, "\n  and %d more; 'penstock verify' tells all", len(e.Damage)-i)
			break
		}
		fmt.Fprintf(&text, "\n  %v", damage)
	}
	fmt.Fprintf(&text, "\nwhat is whole can be read; 'penstock repair --db %s --to NEW' copies it to a new database",
		e.Dir)
	return text.String()
}

func (e *DamagedDatabaseError) Unwrap() []error { return e.Damage }

// ReadOnlyError says that a database that is open for reading only was to be changed.
type ReadOnlyError struct {
	Dir     string
	Damaged bool
}

func (e *ReadOnlyError) Error() string {
	if e.Damaged {
		return fmt.Sprintf(
			"database %s is damaged and can only be read; 'penstock repair --db %s --to NEW' copies what is whole to a new database", e.Dir, e.Dir)
	}
	return fmt.Sprintf("database %s is open for reading only", e.Dir)
}

// DiskFullError says that a write was refused or failed for want of space. Nothing
// of it is kept.
type DiskFullError struct {
	Dir        string
	Free, Need uint64 // bytes; Need includes a reserve that keeps the database usable
}

func (e *DiskFullError) Error() string {
	return fmt.Sprintf("disk full: %s has %s free and %s are needed; free some space or drop a graph",
		e.Dir, humanize.IBytes(e.Free), humanize.IBytes(e.Need))
}

// ExistsError says that something lies where a new database or backup is to be made.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists already; choose a new place, or remove it first", e.Path)
}

// GraphNameError says that a graph cannot bear this name.
type GraphNameError struct{ Name, Reason string }

func (e *GraphNameError) Error() string {
	return fmt.Sprintf("graph name %q %s", e.Name, e.Reason)
}

// GraphExistsError says that a load would overwrite a graph without being told to.
type GraphExistsError struct{ Graph string }

func (e *GraphExistsError) Error() string {
	return fmt.Sprintf(
		"graph %q exists already; drop it first, or put the new one in its place with --replace (LoadOptions.Replace)",
		e.Graph)
}

// UnknownGraphError says that the database holds no such graph.
type UnknownGraphError struct {
	Graph string
	Known []string
}

func (e *UnknownGraphError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no graph %q: the database is empty; load one first", e.Graph)
	}
	return fmt.Sprintf("no graph %q%s; the database holds %s", e.Graph, didYouMean(e.Graph, e.Known),
		strings.Join(e.Known, ", "))
}

// UnknownVertexError says that no vertex bears this user id.
type UnknownVertexError struct{ Graph, Vertex string }

func (e *UnknownVertexError) Error() string {
	return fmt.Sprintf("graph %q has no vertex %q", e.Graph, e.Vertex)
}

// UnknownPropertyError says that the graph has no such property.
type UnknownPropertyError struct {
	Graph, Kind, Name string // Kind is "node" or "edge"
	Known             []string
}

func (e *UnknownPropertyError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("graph %q has no %s properties, so no %q", e.Graph, e.Kind, e.Name)
	}
	return fmt.Sprintf("graph %q has no %s property %q%s; it has %s",
		e.Graph, e.Kind, e.Name, didYouMean(e.Name, e.Known), strings.Join(e.Known, ", "))
}

// UnknownNameError says that no node of the graph has such a label, or no relationship such a type.
type UnknownNameError struct {
	Graph, Kind, Name string // Kind is "label" or "relationship type"
	Known             []string
}

func (e *UnknownNameError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("graph %q has no %s, so no %q", e.Graph, e.Kind, e.Name)
	}
	return fmt.Sprintf("graph %q has no %s %q%s; it has %s",
		e.Graph, e.Kind, e.Name, didYouMean(e.Name, e.Known), strings.Join(e.Known, ", "))
}

// PropertyError says what is wrong with a column to be written.
type PropertyError struct{ Name, Reason string }

func (e *PropertyError) Error() string { return fmt.Sprintf("property %q %s", e.Name, e.Reason) }

// ConflictError says that a graph got a new snapshot after the one that a write is based on,
// or that another transaction has changed the same entity first.
type ConflictError struct {
	Graph         string
	Base, Current uint64 // snapshot ids; Current is 0 when the graph is gone
	Entity        string // what two transactions changed, "node 7"; "": the graph as a whole
}

func (e *ConflictError) Error() string {
	if e.Entity != "" {
		return fmt.Sprintf("graph %q: %v: another transaction changed %s first; run the transaction again", e.Graph,
			ErrConflict, e.Entity)
	}
	return fmt.Sprintf("graph %q: %v: snapshot %d is no longer current (%d is); run again", e.Graph, ErrConflict, e.Base,
		e.Current)
}

func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// TooLargeError says which limit of the store a graph goes beyond.
type TooLargeError struct {
	What        string
	Size, Limit uint64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: %d is above the limit of %d", e.What, e.Size, e.Limit)
}
