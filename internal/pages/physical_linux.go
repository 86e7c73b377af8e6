package pages

import (
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Physical is the bytes this process can hope for: the machine's, or the limit of a
// control group it runs in when that is lower.
func Physical() (uint64, error) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, os.NewSyscallError("sysinfo", err)
	}
	bytes := info.Totalram * uint64(info.Unit)
	groups, _ := os.ReadFile("/proc/self/cgroup") // without: those of the root
	for _, file := range limitFiles(string(groups)) {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the other version of control groups, or none
		}
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			bytes = min(bytes, limit) // "max" is no number: no limit
		}
	}
	return bytes, nil
}

// limitFiles are where limits may stand of the control groups that /proc/self/cgroup
// names, and of those that contain them. In a container they begin at the root.
func limitFiles(groups string) []string {
	files := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	for line := range strings.Lines(groups) {
		_, group, _ := strings.Cut(strings.TrimSpace(line), ":")
		controller, group, _ := strings.Cut(group, ":")
		for ; len(group) > 1; group = path.Dir(group) {
			switch controller {
			case "": // version 2
				files = append(files, path.Join("/sys/fs/cgroup", group, "memory.max"))
			case "memory":
				files = append(files, path.Join("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
			}
		}
	}
	return files
}
