package statement

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/penstock-db/penstock/internal/query/parse"
)

// fromFile runs the statements of a file; of standard input, where it has no name.
func fromFile(in io.Reader, file string, run func(string) error) error {
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	return eachStatement(in, run)
}

// fromArgument runs the statements of an argument. One that is alone is not called the first of a script.
func fromArgument(text string, run func(string) error) error {
	alone, count := text, 0
	for part, err := range parse.Script(strings.NewReader(text)) {
		if err != nil {
			return err
		}
		alone = part.Text
		count++
	}
	if count < 2 {
		return run(alone)
	}
	return eachStatement(strings.NewReader(text), run)
}

// eachStatement runs statements up to the first that fails.
func eachStatement(in io.Reader, run func(string) error) error {
	for part, err := range parse.Script(in) {
		if err != nil {
			return err
		}
		if err := InScript(part, run(part.Text)); err != nil {
			return err
		}
	}
	return nil
}

// ScriptError ends a script: the batches before it stay.
type ScriptError struct {
	part parse.Part
	err  error
}

func (e *ScriptError) Error() string {
	return fmt.Sprintf("statement %d, at line %d: %v", e.part.Number, e.part.Line, e.err)
}

func (e *ScriptError) Unwrap() error { return e.err }

// Interrupted says what of the script stays.
func (e *ScriptError) Interrupted() string {
	return fmt.Sprintf("interrupted in statement %d, at line %d; what was committed before stays",
		e.part.Number, e.part.Line)
}

// InScript says where what went wrong did.
func InScript(part parse.Part, err error) error {
	if err == nil {
		return nil
	}
	return &ScriptError{part, err}
}
