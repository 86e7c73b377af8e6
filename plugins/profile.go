package plugins

import (
	"os"
	"runtime/pprof"

	"github.com/hashicorp/go-hclog"
)

// CPUProfileVariable names a file in the environment, to which a plugin that serves with
// Serve writes a CPU profile of itself. It is complete when the host has ended the plugin
// by asking; one that was killed leaves none.
const CPUProfileVariable = "PENSTOCK_CPUPROFILE"

// profile starts the profile that the environment asks for, and returns what ends it.
func profile() (stop func()) {
	name := os.Getenv(CPUProfileVariable)
	if name == "" {
		return func() {}
	}
	file, err := os.Create(name)
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		hclog.Default().Warn("no profile of the plugin", "error", err)
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close()
	}
}
