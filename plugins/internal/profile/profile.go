// Package profile takes the CPU profile of a plugin process, where its host wants one.
package profile

import (
	"os"
	"runtime/pprof"

	"github.com/hashicorp/go-hclog"

	"github.com/penstock-db/penstock/internal/handshake"
)

// Start starts the CPU profile that the environment asks for, and returns what ends it. The profile is complete when
// the host has ended the plugin by asking; a plugin that is killed leaves none.
func Start() (stop func()) {
	name := os.Getenv(handshake.CPUProfile)
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
