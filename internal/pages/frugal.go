// Package pages knows what the system tells of memory: how much there is for this process,
// and which file is mapped where. It helps processes to get along with little.
package pages

import "runtime/debug"

// little is so much memory that two programs and their garbage matter in it.
const little = 256 << 20

// Frugal prepares a whole process for a machine, or a control group, with little memory;
// with more it does nothing. Only a main function may call it, or what serves as one.
//
// The garbage collector works earlier. The program is read once as a whole; where it does
// not stay in memory, what is missing is read page by page: systems that read megabytes
// around each page push out more of it than they bring.
func Frugal() {
	if have, err := Physical(); err != nil || have > little {
		return
	}
	debug.SetGCPercent(20)
	readProgramSingly()
}
