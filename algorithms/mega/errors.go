package mega

import "fmt"

// ParamError is a parameter that a learner cannot work with.
type ParamError struct {
	Learner, Param string
	Value          any
	Want           string // what would do
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("%s: %s is %v: give %s", e.Learner, e.Param, e.Value, e.Want)
}

// DataError is data that a learner cannot learn from.
type DataError struct {
	Learner string
	Where   string // "rating 17: of item 4 by user 3", say
	What    string
	Do      string // what the user can do about it
}

func (e *DataError) Error() string {
	if e.Where == "" {
		return fmt.Sprintf("%s: %s: %s", e.Learner, e.What, e.Do)
	}
	return fmt.Sprintf("%s: %s: %s: %s", e.Learner, e.Where, e.What, e.Do)
}
