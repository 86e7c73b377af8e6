package launch

import "strings"

// kept are the variables a plugin may see: what locates programs, libraries and
// temporary files, what sets the language, and what tunes the Go runtime and the
// drivers of devices. Secrets that the host's environment may hold stay there.
var kept = []string{"PATH", "HOME", "USER", "TMPDIR", "TZ", "LANG", "LC_*", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
	"GO*", "PENSTOCK_*", "CUDA_*", "NVIDIA_*", "ASCEND_*", "PYTHONPATH", "TOOLCHAIN_HOME", "OPENVINO_*",
	"INTEL_OPENVINO_DIR",
	"ADSP_LIBRARY_PATH", "QNN_*", "ORT_*", "XDG_*"}

// environment selects what a plugin may see of all.
func environment(all []string) []string {
	var env []string
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		if isKept(name) {
			env = append(env, entry)
		}
	}
	return env
}

func isKept(name string) bool {
	for _, pattern := range kept {
		prefix, open := strings.CutSuffix(pattern, "*")
		if name == pattern || open && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
