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
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/plugins/internal/reexec"
)

// Arg is the first argument with which a host starts its own executable as the plugin.
const Arg = "penstock-plugin-cpu"

func init() {
	reexec.Serve(Arg, func() plugins.Device { return cpu.New(cpu.Options{}) })
}
