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
	"github.com/penstock-db/penstock/plugins/internal/reexec"
	"github.com/penstock-db/penstock/plugins/npu"
)

// Arg is the first argument with which a host starts its own executable as the plugin.
const Arg = "penstock-plugin-npu"

func init() { reexec.Serve(Arg, npu.FromEnvironment) }
