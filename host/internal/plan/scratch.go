package plan

import (
	"errors"
	"fmt"
	"os"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/store"
)

// ScratchError says that the folder for temporary files has no room for state that is cut into intervals and its cells
// of edges.
type ScratchError struct {
	Dir   string
	Need  uint64 // bytes: what the files take, at most
	Free  uint64 // bytes: what the folder has without them
	Whole uint64 // bytes: the least budget with which state is not cut, and there are no files
	Err   error  // the system's
}

func (e *ScratchError) Error() string {
	return fmt.Sprintf("disk full: state in intervals takes up to %s bytes of temporary files in %s, which has %s free: "+
		"make room there, let TMPDIR name a folder with room, or give --device-memory %dB, with which state is not cut (%v)",
		humanize.Comma(int64(e.Need)), e.Dir, humanize.Comma(int64(e.Free)), e.Whole, e.Err)
}

func (e *ScratchError) Unwrap() error { return e.Err }

// ScratchFull turns the system's "no space left", met while the scratch files of intervals were written, into a
// *ScratchError. They have taken so much until then.
func ScratchFull(p *Plan, err error, taken uint64) error {
	var full *store.DiskFullError
	if !errors.As(store.DiskFull(os.TempDir(), err), &full) {
		return err
	}
	return &ScratchError{Dir: full.Dir, Need: p.Needs().Intervals.Scratch, Free: full.Free + taken,
		Whole: p.Intervals.Whole, Err: err}
}
