package host

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

	"github.com/penstock-db/penstock/plugins"
)

// checkpoint is the file that keeps the state of a computation after an iteration. It is
// there whole or not at all, and never used unless it is of the very same computation:
//
//	magic │ length of head │ head, JSON │ state columns │ active set │ xxhash64 of all before
type checkpoint struct {
	path  string
	of    computation
	state [][]byte // the state columns and the active set, in the arena
}

const checkpointMagic = "penstock checkpoint 1\n"

// maxHead is more than any head takes: what claims to be longer is none.
const maxHead = 1 << 20

// checkpointHead says what follows it.
type checkpointHead struct {
	Of        computation `json:"of"`
	Iteration int         `json:"iteration"`
	Active    uint64      `json:"active"`
	Change    Change      `json:"change"`
}

// CheckpointError says why a checkpoint is not used, or could not be written. The run goes
// on without it.
type CheckpointError struct {
	File   string
	Reason string
	Err    error // may be nil
}

func (e *CheckpointError) Error() string {
	text := fmt.Sprintf("checkpoint %s %s", e.File, e.Reason)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *CheckpointError) Unwrap() error { return e.Err }

// write replaces the file, after what it holds is on the disk.
func (c *checkpoint) write(it plugins.Iteration) error {
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

func (c *checkpoint) writePart(it plugins.Iteration) error {
	head, err := json.Marshal(checkpointHead{Of: c.of, Iteration: it.Number, Active: it.Active, Change: Change(it.Change)})
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
	length := binary.LittleEndian.AppendUint64([]byte(checkpointMagic), uint64(len(head)))
	for _, piece := range append([][]byte{length, head}, c.state...) {
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
// with a *CheckpointError, or with fs.ErrNotExist in it if there is none, what it has put there is of no use.
func (c *checkpoint) read() (it plugins.Iteration, err error) {
	f, err := os.Open(c.path)
	if err != nil {
		return it, &CheckpointError{File: c.path, Reason: "cannot be read", Err: err}
	}
	defer f.Close()
	sum := xxhash.New()
	in := io.TeeReader(f, sum)
	head, err := c.readHead(in)
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
	return plugins.Iteration{Number: head.Iteration, Active: head.Active, Change: float64(head.Change)}, nil
}

func (c *checkpoint) readHead(in io.Reader) (head checkpointHead, err error) {
	first := make([]byte, len(checkpointMagic)+8)
	if _, err := io.ReadFull(in, first); err != nil || !bytes.HasPrefix(first, []byte(checkpointMagic)) {
		return head, &CheckpointError{File: c.path, Reason: "is none, or of another version; it is not used", Err: err}
	}
	length := binary.LittleEndian.Uint64(first[len(checkpointMagic):])
	if length > maxHead {
		return head, c.damaged(fmt.Errorf("a head of %d bytes", length))
	}
	text := make([]byte, length)
	if _, err = io.ReadFull(in, text); err == nil {
		err = json.Unmarshal(text, &head)
	}
	if err != nil {
		return head, c.damaged(err)
	}
	if difference := c.of.differs(head.Of); difference != "" {
		return head, &CheckpointError{File: c.path, Reason: "is not used", Err: errors.New(difference)}
	}
	return head, nil
}

func (c *checkpoint) damaged(err error) error {
	return &CheckpointError{File: c.path, Reason: "is damaged and not used", Err: err}
}

// remove is for when the computation has ended well.
func (c *checkpoint) remove() {
	os.Remove(c.path)
	os.Remove(c.part())
}

// part is where the file is until it is whole.
func (c *checkpoint) part() string { return c.path + ".part" }
