//go:build !linux

package cgroup

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// Group would hold processes together to so much memory.
type Group struct{ Kind string }

// NewGroup fails.
func NewGroup(uint64) (*Group, error) { return nil, errors.New("control groups are Linux's") }

// Command is not held to anything.
func (g *Group) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, program, args...)
}

// Taken tells nothing.
func (g *Group) Taken(*os.ProcessState) measure.Taken { return measure.Taken{} }

// Close has nothing to remove.
func (g *Group) Close() {}

// Forget fails.
func Forget(string) error { return errors.ErrUnsupported }
