// Package audit keeps a record of logins and statements on a server, as JSON lines in a file.
//
// It fails closed: a login, a statement or a commit of which no line can be written is refused before it
// begins. A statement has two lines, so that this can be kept: "statement" before it starts, and
// "result" when it has ended. If only the second cannot be written, the client gets an error that
// says so, for the statement has been carried out.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Entry is a line. What does not apply is left out.
type Entry struct {
	Time       time.Time `json:"time"`
	Event      string    `json:"event"` // login, statement, result, commit; begin, of one that failed
	User       string    `json:"user"`  // empty: the server asks for no name
	Address    string    `json:"address"`
	Connection string    `json:"connection"`
	Graph      string    `json:"graph,omitempty"`
	// read, write, or admin: of a statement that is about the server
	Access string `json:"access,omitempty"`
	// of the statement, since the log was opened; its result has the same
	Number    uint64   `json:"number,omitempty"`
	Statement string   `json:"statement,omitempty"`        // without passwords, at most maxText bytes
	Hash      string   `json:"statement_sha256,omitempty"` // of all its text
	Bytes     int      `json:"statement_bytes,omitempty"`
	Rows      *int64   `json:"rows,omitempty"` // that were sent, of a result
	Millis    *float64 `json:"milliseconds,omitempty"`
	Outcome   string   `json:"outcome,omitempty"` // ok, or Neo4j's code of the error
}

// Log is a file that entries are appended to. Its methods may be called from several goroutines.
type Log struct {
	path string

	mu     sync.Mutex // for all below
	file   *os.File
	torn   bool // the last write may have left a part of a line
	number uint64
}

// Open opens the file, and makes it if there is none. Only its owner may read it.
func Open(path string) (*Log, error) {
	file, err := open(path)
	return &Log{path: path, file: file}, err
}

func open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a regular file", path)
	case info.Mode().Perm() != 0o600:
		err = file.Chmod(0o600)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Reopen goes on in the file of the same path, which may be another since it was renamed. When it
// fails, the log goes on where it was.
func (l *Log) Reopen() error {
	file, err := open(l.path)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.file
	l.file, l.torn = file, false
	return old.Close()
}

// Close closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// Record appends a line, with the time of now.
func (l *Log) Record(e Entry) error {
	e.Time = time.Now()
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // -> stays readable
	if err := encoder.Encode(e); err != nil {
		return &Error{Event: e.Event, Err: err}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	text := line.Bytes()
	if l.torn {
		text = append([]byte{'\n'}, text...)
	}
	if _, err := l.file.Write(text); err != nil {
		l.torn = true
		return &Error{Event: e.Event, Err: err}
	}
	l.torn = false
	return nil
}

// next is the number of the next statement.
func (l *Log) next() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number++
	return l.number
}

// Error is that a line could not be written.
type Error struct {
	Event string
	Err   error
}

func (e *Error) Error() string {
	if e.Event == "result" {
		return "the statement has been carried out, but the audit log cannot be written: see the server's log"
	}
	return "refused: the audit log cannot be written; see the server's log"
}

func (e *Error) Unwrap() error { return e.Err }

// Code is Neo4j's.
func (e *Error) Code() string { return "Neo.DatabaseError.General.UnknownError" }
