package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/confine/stage"
)

// Rights of Landlock's, by what they are for.
const (
	readRight  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	runRight   = readRight | unix.LANDLOCK_ACCESS_FS_EXECUTE
	useRight   = readRight | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // a device
	writeRight = readRight | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR
	listenRight = readRight | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK
)

// landlockVersion is that of this kernel's Landlock; 0: it has none, or it is switched off.
var landlockVersion = sync.OnceValue(func() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
})

// handled are the rights over files, the network and other processes that a version knows, all of which are denied but
// for what rules allow.
func handled(version int) stage.Ruleset {
	files := []int{0, 13, 14, 15, 15, 16} // how many rights over files a version has, see landlock(7)
	r := stage.Ruleset{Files: 1<<files[min(version, len(files)-1)] - 1}
	if version >= 4 {
		r.Network = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 6 {
		r.Scope = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return r
}

// libraries are where programs and what they load lie, and nobody's secrets.
var libraries = []string{
	"/bin", "/usr/bin", "/usr/local/bin", "/usr/libexec",
	"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
	"/nix/store", "/gnu/store",
}

// facts are files in which the system says what kind of machine this is, and how libraries are set up. Of processes
// there is the plugin's own alone.
var facts = []string{
	"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale",
	"/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies",
	"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/filesystems",
	"/proc/sys/vm/overcommit_memory", "/proc/sys/vm/max_map_count",
	"/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
	"/dev/zero", "/dev/random", "/dev/urandom",
}

// locating are variables of the environment that say where libraries lie, in lists with such a character between.
var locating = map[string]string{
	"LD_LIBRARY_PATH": ":", "PYTHONPATH": ":", "ADSP_LIBRARY_PATH": ";", "OPENVINO_LIB_PATHS": ";",
	"INTEL_OPENVINO_DIR": "", "ASCEND_HOME_PATH": "", "ASCEND_TOOLKIT_HOME": "", "ASCEND_OPP_PATH": "",
	"ASCEND_AICPU_PATH": "", "TOOLCHAIN_HOME": "", "QNN_SDK_ROOT": "", "PENSTOCK_LIBCUDA": "", "PENSTOCK_LIBCUBLAS": "",
}

// files is what Landlock of this version is to deny, and what it is to allow all the same.
func (p Process) files(version int) stage.Ruleset {
	r := handled(version)
	allow := func(rights uint64, paths ...string) {
		for _, path := range paths {
			if filepath.IsAbs(path) {
				r.Allowed = append(r.Allowed, stage.Path{Name: path, Rights: rights})
			}
		}
	}
	allow(runRight, libraries...)
	allow(readRight, facts...)
	allow(useRight, "/dev/null")
	allow(runRight, p.Program)
	for _, path := range p.Loads {
		allow(runRight, ownPlace(path)...)
	}
	for _, path := range p.located() {
		allow(runRight, ownPlace(path)...)
	}
	allow(listenRight, p.Sockets)
	allow(runRight, p.Grants.Read...)
	allow(writeRight, p.Grants.Write...)
	for _, kind := range p.Grants.Hardware {
		h := hardware[kind]
		devices := matching(h.devices)
		allow(useRight, devices...)
		allow(runRight, matching(h.reads)...)
		cache := h.cacheIn(p.Env)
		if cache != "" && len(devices) > 0 {
			_ = os.MkdirAll(cache, 0o700) // the plugin may not make it, and is slower without
		}
		allow(writeRight, cache)
	}
	if p.Grants.Network {
		r.Network = 0
	}
	return r
}

// located are the paths that variables of its environment name.
func (p Process) located() (paths []string) {
	for _, entry := range p.Env {
		name, value, _ := strings.Cut(entry, "=")
		between, ok := locating[name]
		switch {
		case ok && between == "":
			paths = append(paths, value)
		case ok:
			paths = append(paths, strings.Split(value, between)...)
		}
	}
	return paths
}

// ownPlace is a folder, or of a file the folder that it lies in, with what belongs to it. It is the file alone, or
// nothing, where that folder is somebody's home or above: there lies everything.
func ownPlace(path string) []string {
	folder := path
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		folder = filepath.Dir(path)
	}
	home, _ := os.UserHomeDir()
	if lies(home, folder) || slices.Contains([]string{"/", "/tmp", "/var/tmp", os.TempDir()}, filepath.Clean(folder)) {
		if info.IsDir() {
			return nil
		}
		return []string{path}
	}
	return []string{folder}
}

// lies tells whether path is folder, or below it.
func lies(path, folder string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && below != ".." && !strings.HasPrefix(below, "../")
}
