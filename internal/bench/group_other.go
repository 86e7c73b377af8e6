//go:build !linux

package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// group would hold processes together to so much memory.
type group struct{ kind string }

func newGroup(uint64) (*group, error) { return nil, errors.New("control groups are Linux's") }

func (g *group) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, program, args...)
}

func (g *group) taken(*os.ProcessState) taken { return taken{} }

func (g *group) close() {}

func forget(string) error { return errors.ErrUnsupported }
