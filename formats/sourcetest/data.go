package sourcetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// SharedData is the path of a file in ../shared/data beside the repository. The test
// is skipped when that folder is not there, and fails when only the file is missing.
func SharedData(t testing.TB, elements ...string) string {
	t.Helper()
	folder := dataFolder()
	if folder == "" {
		t.Skip("needs published graphs in ../shared/data beside the checkout: see CONTRIBUTING.md")
	}
	path := filepath.Join(append([]string{folder}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// dataFolder is "" when there is none.
func dataFolder() string {
	for folder, err := os.Getwd(); err == nil; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); errors.Is(err, fs.ErrNotExist) &&
			folder != filepath.Dir(folder) {
			continue
		}
		data := filepath.Join(folder, "..", "shared", "data")
		if info, err := os.Stat(data); err != nil || !info.IsDir() {
			return ""
		}
		return data
	}
	return ""
}

// WriteFile puts content into a new file called name and returns its path.
func WriteFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
