package megatest

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Lines gives the fields of each line of a file of ../shared/data to do.
func Lines(t testing.TB, name string, do func(fields []string)) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(dir, "go.mod")) {
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	data := filepath.Join(dir, "..", "shared", "data")
	if !exists(data) {
		t.Skip("needs published data in ../shared/data beside the checkout: see CONTRIBUTING.md")
	}
	file, err := os.Open(filepath.Join(data, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var reader io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if reader, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		do(strings.Fields(lines.Text()))
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Number parses one.
func Number(t testing.TB, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
