package registry

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
)

// TestMain: as a plugin, that is with go-plugin's cookie set, this test program is a
// device that can only describe itself, or, with the argument for it, one that tells which
// library it would load.
func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	if handshake.Launched() {
		if os.Getenv(broken) != "" {
			fmt.Fprintln(os.Stderr, "libturbine.so.1: cannot open shared object file")
			os.Exit(127)
		}
		if len(os.Args) > 1 && os.Args[1] == "penstock-plugin-npu" {
			plugins.Serve(runtimeStub{})
		}
		plugins.Serve(stub{})
		return
	}
	if os.Getenv(installing) != "" {
		installByTurns()
	}
	os.Exit(m.Run())
}

// broken is the variable that keeps the plugin from starting.
var broken = launch.OwnVariable("stub", "BROKEN")

type stub struct{}

func (stub) Describe(context.Context) (plugins.Description, error) {
	return plugins.Description{Name: "stub", Version: "0.3.0", Hardware: "none"}, nil
}

func (stub) Open(context.Context, plugins.Job) (plugins.Session, error) {
	return nil, plugins.Errorf(plugins.KindUnsupported, "it only describes itself")
}

// runtimeStub is the NPU plugin, which this program does not have.
type runtimeStub struct{ stub }

func (runtimeStub) Describe(context.Context) (plugins.Description, error) {
	provider := os.Getenv(providerVariable)
	switch provider {
	case "cuda":
		return plugins.Description{}, plugins.Errorf(plugins.KindUnsupported, "no libcuda.so.1")
	case "qnn":
		panic("the library's fault")
	}
	hardware := fmt.Sprint(os.Getenv(RuntimeVariable), " ", provider, " ", os.Getenv(optionsVariable))
	return plugins.Description{Name: NPU, Version: "0.1.0", Hardware: hardware}, nil
}

// program copies this test program to path: a plugin to install.
func program(t *testing.T, path string) string {
	t.Helper()
	self, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, self); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
