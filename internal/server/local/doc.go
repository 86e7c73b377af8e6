// Package local lets a program ask the server that has a database open for a backup of it.
//
// The server listens on a socket in a folder of the database that only the user that runs it
// can enter (and root): whoever may read the database's files may have them. No login by
// Bolt leads there, and the server writes no file: the backup goes to the client. It is HTTP:
//
//	POST /backup?compress=true&since=FILE     the body is the end of that file (backup.File.Tail)
//	200                                       the body is a backup; the trailer Error says why it ended early
//	409, 500                                  the body says why there is none
package local

import (
	"net"
	"os"
	"path/filepath"
)

// Request is which backup is wanted.
type Request struct {
	Since    string // the file that it follows; "": it is a full one
	Tail     []byte // the end of that file
	Compress bool
}

const (
	folder = "serving"
	socket = "socket"
	// mostTail is the largest end of a file that the server reads: of a backup of about 8 million
	// values, which are 500 billion rows of a column.
	mostTail   = 256 << 20
	errTrailer = "Error"
)

// Listen makes the socket of a database that the caller has open; one that a killed server has
// left is replaced.
func Listen(database string) (net.Listener, error) {
	dir := filepath.Join(database, folder)
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return nil, err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(filepath.Join(dir, socket)); err != nil {
		return nil, err
	}
	path, release, err := shortPath(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // the path may lead elsewhere by then
	return l, nil
}
