package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// file keeps the state of a computation after an iteration. It is
// there whole or not at all, and never used unless it is of the very same computation:
//
//	magic │ length of head │ head, JSON │ state columns │ active set │ sums │ xxhash64 of all before
//
// There are sums where the state is cut into intervals, and the program has aggregates: elsewhere the device has them.
type file struct {
	path  string
	of    Identity
	state [][]byte // the state columns, the active set and sums, where they lie
}

// Magic begins every checkpoint.
const Magic = "penstock checkpoint 1\n"

// maxHead is more than any head takes: what claims to be longer is none.
const maxHead = 1 << 20

// head says what follows it.
type head struct {
	Of        Identity      `json:"of"`
	Iteration int           `json:"iteration"`
	Active    uint64        `json:"active"`
	Change    report.Change `json:"change"`
}

// Error says why a checkpoint is not used, or could not be written. The run goes
// on without it.
type Error struct {
	File   string
	Reason string
	Err    error // may be nil
}

func (e *Error) Error() string {
	text := fmt.Sprintf("checkpoint %s %s", e.File, e.Reason)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// write replaces the file, after what it holds is on the disk.
func (c *file) write(it plugins.Iteration) error {
	err := c.writePart(it)
	if err == nil {
		err = os.Rename(c.part(), c.path)
	}
	if err != nil {
		os.Remove(c.part())
		return err
	}
	return syncDir(filepath.Dir(c.path))
}

func (c *file) writePart(it plugins.Iteration) error {
	first, err := json.Marshal(head{Of: c.of, Iteration: it.Number, Active: it.Active, Change: report.Change(it.Change)})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.part(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := xxhash.New()
	out := io.MultiWriter(f, sum)
	length := binary.LittleEndian.AppendUint64([]byte(Magic), uint64(len(first)))
	for _, piece := range append([][]byte{length, first}, c.state...) {
		if _, err := out.Write(piece); err != nil {
			return err
		}
	}
	if _, err := f.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64())); err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncDir has a rename last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// read puts the state into the arena and tells after which iteration it was. When it fails,
// with a *Error, or with fs.ErrNotExist in it if there is none, what it has put there is of no use.
func (c *file) read() (it plugins.Iteration, err error) {
	f, err := os.Open(c.path)
	if err != nil {
		return it, &Error{File: c.path, Reason: "cannot be read", Err: err}
	}
	defer f.Close()
	sum := xxhash.New()
	in := io.TeeReader(f, sum)
	h, err := c.readHead(in)
	if err != nil {
		return it, err
	}
	for _, column := range c.state {
		if _, err := io.ReadFull(in, column); err != nil {
			return it, c.damaged(err)
		}
	}
	expected, found := sum.Sum64(), make([]byte, 9)
	if n, _ := io.ReadFull(f, found); n != 8 || binary.LittleEndian.Uint64(found) != expected {
		return it, c.damaged(errors.New("its checksum is another"))
	}
	return plugins.Iteration{Number: h.Iteration, Active: h.Active, Change: float64(h.Change)}, nil
}

func (c *file) readHead(in io.Reader) (h head, err error) {
	first := make([]byte, len(Magic)+8)
	if _, err := io.ReadFull(in, first); err != nil || !bytes.HasPrefix(first, []byte(Magic)) {
		return h, &Error{File: c.path, Reason: "is none, or of another version; it is not used", Err: err}
	}
	length := binary.LittleEndian.Uint64(first[len(Magic):])
	if length > maxHead {
		return h, c.damaged(fmt.Errorf("a head of %d bytes", length))
	}
	text := make([]byte, length)
	if _, err = io.ReadFull(in, text); err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		return h, c.damaged(err)
	}
	if difference := c.of.differs(h.Of); difference != "" {
		return h, &Error{File: c.path, Reason: "is not used", Err: errors.New(difference)}
	}
	return h, nil
}

func (c *file) damaged(err error) error {
	return &Error{File: c.path, Reason: "is damaged and not used", Err: err}
}

// remove is for when the computation has ended well.
func (c *file) remove() {
	os.Remove(c.path)
	os.Remove(c.part())
}

// part is where the file is until it is whole.
func (c *file) part() string { return c.path + ".part" }
