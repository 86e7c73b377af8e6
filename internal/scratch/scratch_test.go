package scratch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDir_IsRemoved(t *testing.T) {
	var dir string
	t.Run("a test", func(t *testing.T) {
		if dir = Dir(t); dir == Dir(t) {
			t.Error("two folders are one")
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
			t.Error(err)
		}
	})
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}
