package drive

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Uploader writes chunks where the device is to find them, and makes the commands that tell of them.
type Uploader struct {
	t      testing.TB
	state  *State
	mapped bool         // into a file
	active bool         // only rows that are active, as far as the plan allows it
	plan   plugins.Plan // what the device can do
	among  arena.Range  // the vertices whose rows the next command needs

	count  int          // of uploads so far
	Places chunk.Places // of lists, that the next iteration needs
	file   *os.File     // nil: none yet
}

// Upload writes chunk i to a place, or a file.
func (u *Uploader) Upload(i int, c Encoded, place arena.Range) plugins.Command {
	if u.mapped {
		path, at := u.write(c.Bytes)
		return plugins.Command{Op: plugins.Upload, Chunk: uint32(i), File: path, At: at}
	}
	bytes, among := c.Bytes, arena.Range{}
	switch u.count++; {
	case u.active && u.plan.Selects && u.count%2 == 0 && u.Places == (chunk.Places{}):
		among = u.among
	case u.active && u.plan.ActiveRows:
		bytes = activeRows(u.t, bytes, u.state.Bitmap(u.among), u.Places)
	}
	place.Length = uint64(len(bytes))
	b, err := u.state.Arena.Bytes(place)
	if err != nil {
		u.t.Fatal(err)
	}
	copy(b, bytes)
	return plugins.Command{Op: plugins.Upload, Chunk: uint32(i), At: place, Among: among}
}

// write appends a chunk to the file, where it begins at an odd offset and ends with the file.
func (u *Uploader) write(chunk []byte) (path string, at arena.Range) {
	u.t.Helper()
	if u.file == nil {
		var err error
		if u.file, err = os.Create(filepath.Join(u.t.TempDir(), "chunks of a graph")); err != nil {
			u.t.Fatal(err)
		}
	}
	info, err := u.file.Stat()
	if err != nil {
		u.t.Fatal(err)
	}
	at = arena.Range{Offset: uint64(info.Size())&^1 + 21, Length: uint64(len(chunk))}
	if _, err := u.file.WriteAt(chunk, int64(at.Offset)); err != nil {
		u.t.Fatal(err)
	}
	return u.file.Name(), at
}

// Truncate makes the file shorter.
func (u *Uploader) Truncate(size int64) {
	if err := u.file.Truncate(size); err != nil {
		u.t.Fatal(err)
	}
}

func (u *Uploader) close() {
	if u.file != nil {
		u.file.Close()
		u.file = nil
	}
}
