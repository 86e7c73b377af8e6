package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Kernels of AVX2 have the sixteen registers of AVX2. avo takes others where these do not suffice, which a processor
// with AVX-512 does not mind, and any other dies of.
func TestAssembly_AVX2HasSixteenRegisters(t *testing.T) {
	text := regexp.MustCompile(`^TEXT ·(\w*AVX2)\(`)
	later, files := regexp.MustCompile(`\b([XY](1[6-9]|2\d|3[01])|Z\d+|K[0-7])\b`), 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_amd64.s") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, kernels := "", 0
		for _, line := range strings.Split(string(source), "\n") {
			if strings.HasPrefix(line, "TEXT ") {
				if name = ""; text.MatchString(line) {
					name = text.FindStringSubmatch(line)[1]
					kernels++
				}
			}
			if register := later.FindString(line); name != "" && register != "" {
				t.Errorf("%s: %s has the register %s: %s", path, name, register, strings.TrimSpace(line))
				name = "" // once a kernel
			}
		}
		files += min(kernels, 1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("there are no kernels of AVX2")
	}
}
