// Package reexec makes any program its own CPU plugin: import it for its effect, and
// the host can start the program's own executable as the device's process.
//
//	import _ "github.com/penstock-db/penstock/plugins/cpu/reexec"
//
//	host ──exec os.Executable() penstock-plugin-cpu──▶ init ──plugins.Serve(cpu)──▶ exit
//
// So a fresh install always has a device, and a crash of its kernels is not a crash of
// the database. Started in any other way, the program does not notice the package.
package reexec

import (
	"os"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// Arg is the first argument with which a host starts its own executable as the plugin.
const Arg = "penstock-plugin-cpu"

// init serves before main runs, and then ends the process: main must not run in a plugin.
// The cookie keeps a user who gives the argument by hand in the ordinary program.
func init() {
	if len(os.Args) < 2 || os.Args[1] != Arg || os.Getenv(plugins.Handshake.MagicCookieKey) != plugins.Handshake.MagicCookieValue {
		return
	}
	plugins.Serve(cpu.New(cpu.Options{}))
	os.Exit(0) //nolint:forbidigo // in a plugin process this is main
}
