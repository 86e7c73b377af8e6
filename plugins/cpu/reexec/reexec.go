// Package reexec lets any program that imports it be its own CPU plugin.
//
//	program ──host starts os.Executable() again, with Arg──▶ init here ──▶ plugins.Serve
//
// It works in init, before main and whatever main would do with its arguments, so that
// a program needs nothing but the import, and a test binary is a plugin as well. A
// process is only taken over when both the argument and go-plugin's cookie are there,
// which no user types by chance.
package reexec

import (
	"os"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// Arg is the first argument of a process that is to serve as the CPU plugin.
const Arg = "penstock-plugin-cpu"

func init() {
	if !asked(os.Args, os.Getenv(plugins.Handshake.MagicCookieKey)) {
		return
	}
	plugins.Serve(cpu.New(cpu.Options{}))
	os.Exit(0)
}

func asked(args []string, cookie string) bool {
	return len(args) > 1 && args[1] == Arg && cookie == plugins.Handshake.MagicCookieValue
}
