package store

import (
	"io"

	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/space"
)

// What operations on a database return, beside errors of the system.
type (
	// ConflictError says that a graph got a new snapshot after the one that a write is based on, or that another
	// transaction has changed the same entity first.
	ConflictError = failure.ConflictError
	// DamagedDatabaseError says that a database was not opened for writing, as its files are not what was written.
	DamagedDatabaseError = failure.DamagedDatabaseError
	// DamagedError says which stored piece is not what was once written.
	DamagedError = failure.DamagedError
	// DiskFullError says that a write was refused or failed for want of space.
	DiskFullError = failure.DiskFullError
	// ExistsError says that something lies where a new database or backup is to be made.
	ExistsError = failure.ExistsError
	// GraphExistsError says that a load would overwrite a graph without being told to.
	GraphExistsError = failure.GraphExistsError
	// GraphNameError says that a graph cannot bear this name.
	GraphNameError = failure.GraphNameError
	// LockedError says that another process has the database open.
	LockedError = failure.LockedError
	// MissingError says that there is no database at Dir.
	MissingError = failure.MissingError
	// NotDatabaseError says that Dir is something, but no penstock database.
	NotDatabaseError = failure.NotDatabaseError
	// PropertyError says what is wrong with a column to be written.
	PropertyError = failure.PropertyError
	// ReadOnlyError says that a database that is open for reading only was to be changed.
	ReadOnlyError = failure.ReadOnlyError
	// TooLargeError says which limit of the store a graph goes beyond.
	TooLargeError = failure.TooLargeError
	// UnknownGraphError says that the database holds no such graph.
	UnknownGraphError = failure.UnknownGraphError
	// UnknownNameError says that no node of the graph has such a label, or no relationship such a type.
	UnknownNameError = failure.UnknownNameError
	// UnknownPropertyError says that the graph has no such property.
	UnknownPropertyError = failure.UnknownPropertyError
	// UnknownVertexError says that no vertex bears this user id.
	UnknownVertexError = failure.UnknownVertexError
	// VersionError says that the database was written in a format that this program does not read.
	VersionError = directory.VersionError
)

// What operations on a database return, beside errors of the system.
var (
	// ErrConflict is the kind of a *ConflictError.
	ErrConflict = failure.ErrConflict
)

// DiskFull turns the system's "no space left", met while writing in dir, into a *DiskFullError.
func DiskFull(dir string, err error) error { return space.DiskFull(dir, err) }

// LeaveRoom writes to a file in dir as long as the disk has room beside that which open databases need.
//
// Errors of Write: *DiskFullError.
func LeaveRoom(dir string, to io.Writer) io.Writer { return space.LeaveRoom(dir, to) }
