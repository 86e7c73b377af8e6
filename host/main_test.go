package host

import (
	"os"
	"testing"

	"github.com/penstock-db/penstock/host/launch"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// TestMain lets this test program serve as the CPU plugin that the host starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == launch.SelfArg {
		plugins.Serve(cpu.New(cpu.Options{}))
		return
	}
	os.Exit(m.Run())
}
