package arena_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

// TestMain lets this binary be the other process: started with childPath set, it maps
// that arena, adds one to each of its words and writes its first word on standard output.
func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if err := beChild(path, os.Getenv(childSize)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const (
	childPath = "PENSTOCK_ARENA_TEST_PATH"
	childSize = "PENSTOCK_ARENA_TEST_SIZE"
)

func beChild(path, text string) error {
	size, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return err
	}
	a, err := arena.Open(arena.Ref{Path: path, Size: size})
	if err != nil {
		return err
	}
	defer a.Close()
	words, err := a.Uint64s(arena.Range{Length: size})
	if err != nil {
		return err
	}
	for i := range words {
		words[i]++
	}
	_, err = fmt.Println(words[0])
	return err
}
