package backup

import (
	"fmt"
	"time"
)

// DamagedError says where a backup is not what was written.
type DamagedError struct {
	Path   string
	Offset int64  // of the record; -1: the file as a whole
	What   string // the record or the part
	Err    error
}

func (e *DamagedError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("backup %s is damaged: %s: %v; restore another", e.Path, e.What, e.Err)
	}
	return fmt.Sprintf("backup %s is damaged: %s at byte %d: %v; restore another", e.Path, e.What, e.Offset, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// NotBackupError says that a file is no backup, or none that this program reads.
type NotBackupError struct{ Path, Reason string }

func (e *NotBackupError) Error() string {
	return fmt.Sprintf("%s is no backup that this penstock reads: %s", e.Path, e.Reason)
}

// ChainError says that the file which a backup follows is not where it was.
type ChainError struct {
	Path, Previous string
	Reason         string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("backup %s follows %s, %s; put that file there", e.Path, e.Previous, e.Reason)
}

// DivergedError says that a backup is of another database, or of this one before it was
// restored from an older backup: nothing can follow it.
type DivergedError struct {
	Previous, Graph string
	Reason          string
}

func (e *DivergedError) Error() string {
	where := ""
	if e.Graph != "" {
		where = fmt.Sprintf(" (graph %q)", e.Graph)
	}
	return fmt.Sprintf("no backup of this database can follow %s: %s%s; make a full one, without --since", e.Previous,
		e.Reason, where)
}

// PointError says that an instant is not known to a backup and those before it.
type PointError struct {
	Path, Reason string
	Windows      []Window // what can be restored
}

func (e *PointError) Error() string {
	text := fmt.Sprintf("backup %s cannot be restored so: %s", e.Path, e.Reason)
	for i, w := range e.Windows {
		text += "; "
		if i == 0 {
			text += "it knows all graphs at "
		}
		if w.From.Equal(w.Until) {
			text += w.Until.Format(time.RFC3339Nano)
		} else {
			text += fmt.Sprintf("%s to %s", w.From.Format(time.RFC3339Nano), w.Until.Format(time.RFC3339Nano))
		}
	}
	return text
}
