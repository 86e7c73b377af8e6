package scarce

import "syscall"

// Physical is the bytes this process can hope for: the machine's, or the limit of a control group it runs in when that
// is lower.
func Physical() (uint64, error) {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0, err
	}
	bytes := uint64(info.Totalram) * uint64(info.Unit) //nolint:unconvert // of 32 bits on some processors
	groups, _ := read("/proc/self/cgroup")             // without: those of the root
	for _, file := range limitFiles(string(groups)) {
		text, err := read(file)
		if err != nil {
			continue // the other version of control groups, or none
		}
		if limit, ok := number(string(text), 10); ok {
			bytes = min(bytes, limit) // "max" is no number: no limit
		}
	}
	return bytes, nil
}

// limitFiles are where limits may stand of the control groups that /proc/self/cgroup
// names, and of those that contain them. In a container they begin at the root.
func limitFiles(groups string) []string {
	const one, two = "/sys/fs/cgroup/memory", "/sys/fs/cgroup" // the versions
	files := []string{two + "/memory.max", one + "/memory.limit_in_bytes"}
	for len(groups) > 0 {
		var line string
		line, groups = cut(groups, '\n')
		_, group := cut(line, ':')
		controller, group := cut(group, ':')
		for ; len(group) > 1; group = parent(group) {
			switch controller {
			case "": // version 2
				files = append(files, two+group+"/memory.max")
			case "memory":
				files = append(files, one+group+"/memory.limit_in_bytes")
			}
		}
	}
	return files
}

// parent is the path of the group that contains a group.
func parent(group string) string {
	last := len(group) - 1
	for last > 0 && group[last] != '/' {
		last--
	}
	return group[:last]
}
