package terminal

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/peterh/liner"
)

// ReadPassword asks at a terminal, without showing what is typed; else it reads a line of
// in.
func ReadPassword(in io.Reader, prompt string) (string, error) {
	password, err := typed(in, prompt)
	if err == nil && password == "" {
		err = errors.New("the password is empty: it is read from standard input, up to the end of the line")
	}
	return password, err
}

func typed(in io.Reader, prompt string) (string, error) {
	if Interactive(in) {
		state := liner.NewLiner()
		defer state.Close()
		return state.PasswordPrompt(prompt)
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// Interactive tells whether a person types what in has, and sees what is printed.
func Interactive(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && IsTerminal(os.Stdout)
}
