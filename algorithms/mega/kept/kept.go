// Package kept is the form in which a device keeps what a procedure that learns has come to, from one command to the
// next, so that the host can write it to a file and another process go on with it. It lies in a row named Row:
//
//	magic │ epochs that have ended │ bytes that follow │ xxhash64 of both │ what the device alone can read │ …
//
// of 8 bytes each. A row that begins with 0 keeps nothing: the procedure begins, or has ended.
package kept

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// Row is the name of the row. Every is that of the argument that says how many nanoseconds a command works, at the
// least, before it may end for the row to be kept.
const (
	Row   = "kept"
	Every = "keep_nanos"
)

const (
	magic  = 0x7470656b_6167656d // "megakept"
	header = 32
)

// Error is a row that says what it cannot.
type Error struct{ What string }

func (e *Error) Error() string { return "what a procedure has come to, which is kept, " + e.What }

// Room is where the device writes, of a row.
func Room(row []byte) []byte { return row[min(header, len(row)):] }

// Close says that so many bytes of the room are what a procedure has come to after some epochs.
func Close(row []byte, epochs, bytes int) {
	for i, x := range []uint64{magic, uint64(epochs), uint64(bytes), sum(uint64(epochs), row[header:][:bytes])} {
		binary.LittleEndian.PutUint64(row[8*i:], x)
	}
}

// Clear has the row keep nothing.
func Clear(row []byte) { clear(row[:min(header, len(row))]) }

// Open says after how many epochs a procedure goes on, and with what; 0: it does not.
//
// Errors: *Error where the row is damaged.
func Open(row []byte) (epochs int, kept []byte, err error) {
	var head [header / 8]uint64
	if len(row) < header {
		return 0, nil, &Error{fmt.Sprintf("has %d bytes", len(row))}
	}
	for i := range head {
		head[i] = binary.LittleEndian.Uint64(row[8*i:])
	}
	switch {
	case head == [header / 8]uint64{}:
		return 0, nil, nil
	case head[0] != magic || head[1] == 0 || head[1] > 1<<32:
		return 0, nil, &Error{"begins as nothing that is"}
	case head[2] > uint64(len(row)-header):
		return 0, nil, &Error{fmt.Sprintf("has %d bytes in %d", head[2], len(row)-header)}
	}
	kept = row[header:][:head[2]]
	if sum(head[1], kept) != head[3] {
		return 0, nil, &Error{"has another checksum"}
	}
	return int(head[1]), kept, nil
}

// sum is of the epochs and what is kept.
func sum(epochs uint64, kept []byte) uint64 {
	d := xxhash.New()
	_, _ = d.Write(binary.LittleEndian.AppendUint64(nil, epochs)) // it never fails, says its documentation
	_, _ = d.Write(kept)
	return d.Sum64()
}
