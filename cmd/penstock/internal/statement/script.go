package statement

import (
	"fmt"
	"io"
	"os"

	"github.com/penstock-db/penstock/internal/query/parse"
)

// eachStatement runs the statements of a file, or of standard input.
func eachStatement(in io.Reader, file string, run func(string) error) error {
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	for part, err := range parse.Script(in) {
		if err != nil {
			return err
		}
		if err := InScript(part.Line, run(part.Text)); err != nil {
			return err
		}
	}
	return nil
}

// ScriptError ends a script: the batches before it stay.
type ScriptError struct {
	line int
	err  error
}

func (e *ScriptError) Error() string { return fmt.Sprintf("statement at line %d: %v", e.line, e.err) }
func (e *ScriptError) Unwrap() error { return e.err }

// Interrupted says what of the script stays.
func (e *ScriptError) Interrupted() string {
	return fmt.Sprintf("interrupted in the statement at line %d; what was committed before stays", e.line)
}

// InScript says where what went wrong did.
func InScript(line int, err error) error {
	if err == nil {
		return nil
	}
	return &ScriptError{line, err}
}
