// Package programs finds, builds and runs the programs that are measured: penstock, and the peers GAPBS,
// GridGraph and Kuzu.
package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// commandPackage is the package of the program that whole processes run.
const commandPackage = "github.com/penstock-db/penstock/cmd/penstock"

// ProgramError says that there is no program penstock to measure.
type ProgramError struct{ Err error }

func (e *ProgramError) Error() string {
	return fmt.Sprintf(
		"bench: there is no penstock beside this program, and Go cannot build it here; give its file by --penstock: %v",
		e.Err)
}

func (e *ProgramError) Unwrap() error { return e.Err }

// findPenstock is the program that whole processes run, as a path from the root: the one given, else
// the one beside this program, else one that Go builds in temporary, of the sources in the current directory.
func findPenstock(ctx context.Context, o measure.Options, temporary string) (string, error) {
	if o.Penstock != "" {
		if _, err := exec.LookPath(o.Penstock); err != nil {
			return "", fmt.Errorf("bench: --penstock: %w", err)
		}
		return filepath.Abs(o.Penstock)
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(self), "penstock")
	if _, err := exec.LookPath(beside); err == nil {
		return beside, nil
	}
	o.Step("build penstock")
	built := filepath.Join(temporary, "penstock")
	if _, _, err := Output(ctx, exec.CommandContext(ctx, "go", "build", "-o", built, commandPackage)); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &ProgramError{err}
	}
	return built, nil
}
