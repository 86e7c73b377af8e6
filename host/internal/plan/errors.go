package plan

import (
	"errors"
	"fmt"
	"os"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/store"
)

// BudgetError says that a run does not fit the device memory it may use, before
// anything of it has run.
type BudgetError struct {
	What    string // that does not fit
	Need    uint64 // bytes: the least budget that will do; more than Have
	Have    uint64 // bytes: the budget
	AtLeast bool   // Need is a lower bound: the device could not say exactly
	Advice  string
	Err     error // what the device said, if it was the device that refused

	together uint64 // the least budget by which all chunks stay on the device; 0: it is not known
	roomy    uint64 // see the function; 0: it is not known
	ample    uint64 // see the function; 0: it is not known
}

func (e *BudgetError) Error() string {
	bound := ""
	if e.AtLeast {
		bound = "at least "
	}
	text := fmt.Sprintf("over budget: %s needs %s%s bytes of device memory, the budget is %s bytes",
		e.What, bound, humanize.Comma(int64(e.Need)), humanize.Comma(int64(e.Have)))
	if e.Err != nil {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	return text + "; " + e.Advice
}

func (e *BudgetError) Unwrap() error { return e.Err }

// ScheduleError is a schedule that cannot run what was asked for.
type ScheduleError struct {
	Schedule, Algorithm, Reason string
	Need                        uint64 // the least budget with which it can; 0: it never can
}

func (e *ScheduleError) Error() string {
	return fmt.Sprintf("schedule %s is not for %s: %s; use schedule auto", e.Schedule, e.Algorithm, e.Reason)
}

// DevicesError is several devices that cannot compute together what was asked for.
type DevicesError struct{ Devices, Algorithm, Reason string }

func (e *DevicesError) Error() string {
	return fmt.Sprintf("devices %s cannot share %s: %s; name one device", e.Devices, e.Algorithm, e.Reason)
}

// RequestError is a Request that contradicts itself.
type RequestError struct{ Reason string }

func (e *RequestError) Error() string { return e.Reason }

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
