// Package reexec makes a program its own plugin: the host starts the program's executable
// again, with an argument that names a device.
//
//	host ──exec os.Executable() ARG──▶ init ──plugins.Serve(device)──▶ exit
//
// So a crash of the device is not a crash of the database.
package reexec

import (
	"os"

	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/plugins"
)

// Serve serves a device and ends the process, if a host has started it with arg as its first argument; else it does
// nothing. It is called by init, before main runs: main must not run in a plugin. The cookie keeps a user
// who gives the argument by hand in the ordinary program.
func Serve(arg string, device func() plugins.Device) {
	if len(os.Args) < 2 || os.Args[1] != arg || !handshake.Launched() {
		return
	}
	plugins.Serve(device())
	os.Exit(0) //nolint:forbidigo // in a plugin process this is main
}
