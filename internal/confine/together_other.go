//go:build !linux

package confine

import (
	"errors"
	"os/exec"
)

// StartTogether starts a command. This system has no namespaces.
func StartTogether(cmd *exec.Cmd) (apart, err error) { return errors.ErrUnsupported, cmd.Start() }

// Sweep does nothing: this system does not tell environments.
func Sweep(string) {}
