package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// commandPackage is the package of the program that whole processes run.
const commandPackage = "github.com/penstock-db/penstock/cmd/penstock"

// ProgramError says that there is no program penstock to measure.
type ProgramError struct{ Err error }

func (e *ProgramError) Error() string {
	return fmt.Sprintf("bench: there is no penstock beside this program, and Go cannot build it here; give its file by --penstock: %v", e.Err)
}

func (e *ProgramError) Unwrap() error { return e.Err }

// findPenstock is the program that whole processes run, as a path from the root: the one given, else
// the one beside this program, else one that Go builds in temporary, of the sources in the current directory.
func (o Options) findPenstock(ctx context.Context, temporary string) (string, error) {
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
	o.step("build penstock")
	built := filepath.Join(temporary, "penstock")
	if _, _, err := output(ctx, exec.CommandContext(ctx, "go", "build", "-o", built, commandPackage)); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &ProgramError{err}
	}
	return built, nil
}
