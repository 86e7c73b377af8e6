//go:build unix

package regular

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever is no file is refused at once, by its name and through a link.
func TestOpen_RefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", path("socket"))
	if err == nil {
		defer socket.Close()
		err = errors.Join(syscall.Mkfifo(path("pipe"), 0o600), os.Mkdir(path("folder"), 0o700),
			os.Symlink("/dev/zero", path("device")), os.Symlink("pipe", path("link")))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "link", "device", "folder", "socket"} {
		var wrong *Error
		if _, err := Open(path(name)); !errors.As(err, &wrong) && name != "socket" || err == nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Read(path(name), 10); err == nil {
			t.Errorf("%s has been read", name)
		}
		if file, err := OpenIn(dir, name); err == nil {
			t.Errorf("%s: %v", name, file)
		}
	}
	if _, err := Open(path("none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestOpenIn_StaysInside(t *testing.T) {
	dir := t.TempDir()
	err := errors.Join(os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600),
		os.Symlink("file", filepath.Join(dir, "within")), os.Symlink("/etc/passwd", filepath.Join(dir, "out")))
	if err != nil {
		t.Fatal(err)
	}
	for name, well := range map[string]bool{"file": true, "within": true, "out": false, "../x": false, "/etc/passwd": false} {
		file, err := OpenIn(dir, name)
		if (err == nil) != well {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			file.Close()
		}
	}
}

func TestRead_HasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var wrong *LimitError
	if _, err := Read(path, 3); !errors.As(err, &wrong) {
		t.Error(err)
	}
	if text, err := Read(path, 4); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}
