package plan

import (
	"fmt"

	"github.com/dustin/go-humanize"
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
