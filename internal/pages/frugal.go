// Package pages knows what the system tells of memory: how much there is for this process,
// and which file is mapped where. It helps processes to get along with little.
package pages

import (
	"runtime/debug"

	"github.com/penstock-db/penstock/internal/pages/scarce"
)

// Frugal prepares a whole process for a machine, or a control group, with little memory;
// with more it does nothing. Only a main function may call it, or what serves as one.
//
// The garbage collector works earlier, and the program is read where it is touched: to read as
// much around it as systems do, megabytes on some, would push out more of it than it brings.
func Frugal() {
	if have, err := Physical(); err != nil || have > scarce.Little {
		return
	}
	debug.SetGCPercent(20)
	scarce.Prepare()
}
