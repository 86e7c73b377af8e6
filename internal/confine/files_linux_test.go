//go:build amd64 || arm64

package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/confine/stage"
)

// folderVariable names a folder, in which tryFiles finds what it tries.
const folderVariable = "PENSTOCK_CONFINE_FOLDER"

func tryFiles() {
	folder := os.Getenv(folderVariable)
	read := func(what, path string) {
		_, err := os.ReadFile(path)
		tell("read "+what, err)
	}
	list := func(what, path string) {
		_, err := os.ReadDir(path)
		tell("list "+what, err)
	}
	write := func(what, path string) {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
		tell("write "+what, err)
		file.Close()
	}
	host := fmt.Sprint("/proc/", os.Getppid())
	read("another's", filepath.Join(folder, "secret"))
	read("users", "/etc/passwd")
	read("the host's variables", host+"/environ")
	read("the host's arguments", host+"/cmdline")
	list("everything", "/")
	list("the home", folder)
	read("about itself", "/proc/self/status")
	list("its threads", "/proc/self/task")
	read("about the machine", "/proc/meminfo")
	list("libraries", "/usr/lib")
	write("nothing", "/dev/null")
	write("a new file", filepath.Join(folder, "new"))
	write("an old file", filepath.Join(folder, "secret"))
	tell("make a folder", os.Mkdir(filepath.Join(folder, "folder"), 0o700))
	tell("remove", os.Remove(filepath.Join(folder, "victim")))
	tell("rename", os.Rename(filepath.Join(folder, "renamed"), filepath.Join(folder, "again")))
	tell("link", os.Symlink("/", filepath.Join(folder, "link")))
	read("what is granted", filepath.Join(folder, "granted/file"))
	write("what may be read", filepath.Join(folder, "granted/file"))
	write("what may be written", filepath.Join(folder, "scratch/new"))
	read("what it loads", filepath.Join(folder, "its own/library"))
	read("beside what it loads", filepath.Join(folder, "its own/other"))
	write("beside what it loads", filepath.Join(folder, "its own/new"))
	write("in the folder of its socket", filepath.Join(folder, "sockets/file"))
	tell("remove in the folder of its socket", os.Remove(filepath.Join(folder, "sockets/file")))
	open, err := os.ReadDir("/proc/self/fd")
	tell("about its files", err)
	kept := map[string]bool{}
	for _, f := range open {
		name, _ := os.Readlink("/proc/self/fd/" + f.Name())
		kept[name] = true
	}
	for _, name := range []string{"/proc/meminfo", fmt.Sprint("/proc/", os.Getpid())} {
		if !kept[name] {
			tell("keep "+name, unix.ENOENT)
		}
	}
}

// A plugin reads libraries, facts about the machine and itself, what it loads, and what is granted. It writes what is
// granted alone.
func TestFiles_AreItsOwn(t *testing.T) {
	folder := t.TempDir()
	fill := func() {
		for _, name := range []string{"secret", "victim", "renamed", "granted/file", "its own/library", "its own/other",
			"scratch/", "sockets/"} {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if name[len(name)-1] == '/' {
				if err := os.MkdirAll(path, 0o700); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill()
	t.Setenv(folderVariable, folder)
	got := within(t, &Process{
		Loads: []string{filepath.Join(folder, "its own/library")}, Sockets: filepath.Join(folder, "sockets"),
		Grants: Grants{Read: []string{filepath.Join(folder, "granted")}, Write: []string{filepath.Join(folder, "scratch")}},
	}, "files")
	allowed := []string{"read_about_itself", "list_its_threads", "read_about_the_machine", "list_libraries",
		"write_nothing", "read_what_is_granted", "write_what_may_be_written", "read_what_it_loads",
		"read_beside_what_it_loads", "write_in_the_folder_of_its_socket", "remove_in_the_folder_of_its_socket",
		"about_its_files"}
	if len(got) < 2*len(allowed) {
		t.Fatalf("it has tried %v", got)
	}
	for what, errno := range got {
		if want := !slices.Contains(allowed, what); want != (errno == unix.EACCES) || errno != 0 && !want {
			t.Errorf("%s: %v", strings.ReplaceAll(what, "_", " "), errno)
		}
	}
	fill()
	for what, errno := range within(t, nil, "files") {
		if errno != 0 && !strings.Contains(what, "keep") {
			t.Errorf("without walls: %s: %v", what, errno)
		}
	}
}

// What a plugin loads brings its folder along, unless that is somebody's home, or where everybody's files lie.
func TestOwnPlace(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", folder)
	library := filepath.Join(home, "lib", "library")
	for _, path := range []string{library, filepath.Join(home, "library"), filepath.Join(folder, "library")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string][]string{
		library: {filepath.Dir(library)}, filepath.Dir(library): {filepath.Dir(library)},
		filepath.Join(home, "library"):   {filepath.Join(home, "library")},
		filepath.Join(folder, "library"): {filepath.Join(folder, "library")},
		home:                             nil, filepath.Dir(home): nil, "/": nil, folder: nil, filepath.Join(home, "none"): nil,
	} {
		if got := ownPlace(path); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// Of each version only the rights that it knows are asked for: others are an error of the kernel's.
func TestHandled_KnowsVersions(t *testing.T) {
	for version := range landlockVersion() + 1 {
		r := handled(version)
		if version == 0 {
			if r.Files|r.Network|r.Scope != 0 {
				t.Errorf("none: %+v", r)
			}
			continue
		}
		attributes := [3]uint64{r.Files, r.Network, r.Scope}
		ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attributes)),
			unsafe.Sizeof(attributes), 0)
		if errno != 0 {
			t.Errorf("version %d: %+v: %v", version, r, errno)
		}
		unix.Close(int(ruleset))
	}
	if v7 := handled(7); v7.Files != 1<<16-1 || v7.Network != 3 || v7.Scope != 3 {
		t.Errorf("version 7: %+v", v7)
	}
	if v4 := handled(4); v4.Files != 1<<15-1 || v4.Network != 3 || v4.Scope != 0 {
		t.Errorf("version 4: %+v", v4)
	}
}

// A kernel without Landlock is told of, and keeps no plugin from running.
func TestStates_WithoutLandlock(t *testing.T) {
	b := Building{}
	states, err := b.states([]stage.Result{{Step: stage.StepLimits}, {Step: stage.StepPrivileges},
		{Step: stage.StepFiles, Errno: uint64(syscall.ENOSYS)}, {Step: stage.StepFilter}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if s.Stands == (s.Wall == Files) || (s.Why != "") != (s.Wall == Files) {
			t.Errorf("%+v", s)
		}
	}
	if _, err := b.states([]stage.Result{{Step: stage.StepFiles, Errno: uint64(syscall.EINVAL)}}); err == nil {
		t.Error("a wall that cannot be built is none that the kernel lacks")
	}
	if _, err := b.states([]stage.Result{{Step: stage.StepFiles}}); err == nil {
		t.Error("a stage that ended early has built its walls")
	}
}
