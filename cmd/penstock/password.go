package main

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/peterh/liner"
)

// readPassword asks at a terminal, without showing what is typed; else it reads a line of
// standard input.
func (a *app) readPassword(prompt string) (string, error) {
	password, err := a.typed(prompt)
	if err == nil && password == "" {
		err = errors.New("the password is empty: it is read from standard input, up to the end of the line")
	}
	return password, err
}

func (a *app) typed(prompt string) (string, error) {
	if a.atTerminal() {
		state := liner.NewLiner()
		defer state.Close()
		return state.PasswordPrompt(prompt)
	}
	line, err := bufio.NewReader(a.In).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}
