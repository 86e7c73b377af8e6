package tree

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// badgerLog passes Badger's log lines to a slog.Logger; without one they are dropped. What is
// information to Badger is of interest to nobody else but who looks for a fault.
type badgerLog struct{ to *slog.Logger }

func (l badgerLog) log(level slog.Level, format string, args []any) {
	if l.to != nil {
		l.to.Log(context.Background(), level, strings.TrimSpace(fmt.Sprintf(format, args...)), "from", "badger")
	}
}

func (l badgerLog) Errorf(f string, a ...any)   { l.log(slog.LevelError, f, a) }
func (l badgerLog) Warningf(f string, a ...any) { l.log(slog.LevelWarn, f, a) }
func (l badgerLog) Infof(f string, a ...any)    { l.log(slog.LevelDebug, f, a) }
func (l badgerLog) Debugf(f string, a ...any)   { l.log(slog.LevelDebug, f, a) }
