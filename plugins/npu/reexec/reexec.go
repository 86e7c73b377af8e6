// Package reexec turns any program that imports it into an NPU plugin as well, as
// plugins/cpu/reexec does for the CPU:
//
//	import _ "github.com/penstock-db/penstock/plugins/npu/reexec"
//
//	host ──exec os.Executable() penstock-plugin-npu──▶ init ──plugins.Serve(npu)──▶ exit
//
// The library that the plugin loads, the provider and its options are in its environment
// (npu.FromEnvironment). A library that crashes takes this process with it, not the database.
package reexec

import (
	"os"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu"
)

// Arg is the first argument with which a host starts its own executable as the plugin.
const Arg = "penstock-plugin-npu"

// init serves before main runs, and then ends the process: main must not run in a plugin.
// The cookie keeps a user who gives the argument by hand in the ordinary program.
func init() {
	if len(os.Args) < 2 || os.Args[1] != Arg || os.Getenv(plugins.Handshake.MagicCookieKey) != plugins.Handshake.MagicCookieValue {
		return
	}
	plugins.Serve(npu.FromEnvironment())
	os.Exit(0) //nolint:forbidigo // in a plugin process this is main
}
