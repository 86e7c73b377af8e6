package launch

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/handshake"
)

// named are the variables that every plugin may see, each by its name: a family such as GO* or LC_* may have a
// credential among it. They locate programs, libraries and temporary files, set the language, and tune the Go runtime
// and the drivers of devices. The host's secrets stay where they are.
var named = []string{
	"PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "XDG_CACHE_HOME",
	"LANG", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
	"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG", "GOTRACEBACK", "GORACE", handshake.CPUProfile,
	// NVIDIA
	"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE", "CUDA_CACHE_MAXSIZE",
	"CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY",
	"NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_TF32_OVERRIDE", "PENSTOCK_LIBCUDA",
	"PENSTOCK_LIBCUBLAS", "PENSTOCK_CUDA_CARD", "PENSTOCK_CUDA_MEMORY", "PENSTOCK_CUDA_PRODUCTS",
	// Huawei
	"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "ASCEND_AICPU_PATH", "ASCEND_RT_VISIBLE_DEVICES",
	"ASCEND_VISIBLE_DEVICES", "TOOLCHAIN_HOME",
	// Intel, Qualcomm
	"INTEL_OPENVINO_DIR", "OPENVINO_LIB_PATHS", "ADSP_LIBRARY_PATH", "QNN_SDK_ROOT",
}

// environment selects what the plugin of this name may see of all: what every plugin may, and its own variables.
func environment(plugin string, all []string) []string {
	own := OwnVariable(plugin, "")
	var env []string
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(named, name) || strings.HasPrefix(name, own) {
			env = append(env, entry)
		}
	}
	return env
}

// OwnVariable is the variable NAME of a plugin's own, by which a user tells it something: PENSTOCK_PLUGIN_NAME. No
// other plugin sees it.
func OwnVariable(plugin, name string) string {
	letters := func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}
	return "PENSTOCK_" + strings.ToUpper(strings.Map(letters, plugin)) + "_" + name
}
