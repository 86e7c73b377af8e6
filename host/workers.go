package host

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/plugins/mega"
)

// Workers is how many workers there are, as a text: 4 threads of one process, or 4x2: of 4 processes 2 threads each.
type Workers struct{ Processes, Workers *int }

func (w Workers) Set(text string) error {
	of, each, divided := strings.Cut(text, "x")
	if !divided {
		of, each = "1", text
	}
	processes, err := strconv.Atoi(of)
	threads, wrong := strconv.Atoi(each)
	switch {
	case err != nil || wrong != nil || divided && (processes < 1 || threads < 1):
		return errors.New("give how many threads, as 4, or processes with so many threads each, as 4x2")
	case divided && (processes > mega.MaxWorkers || threads > mega.MaxWorkers/processes):
		return fmt.Errorf("give at most %d in all", mega.MaxWorkers)
	}
	*w.Processes, *w.Workers = processes, processes*threads
	return nil
}

func (w Workers) String() string {
	switch {
	case w.Workers == nil:
		return ""
	case *w.Processes > 1:
		return fmt.Sprintf("%dx%d", *w.Processes, *w.Workers / *w.Processes)
	}
	return strconv.Itoa(*w.Workers)
}

// Type is what it is to a command line.
func (Workers) Type() string { return "workers" }
