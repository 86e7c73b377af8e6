package confine

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// kind is what programs for one kind of hardware open beside libraries.
type kind struct {
	devices []string // patterns of files, to be read, written and controlled
	reads   []string // patterns of files and folders
	// cache is where the driver keeps compiled kernels: the folder that a variable names, else one in the home.
	cacheVariable, cache string
}

// hardware are the kinds of it that a plugin may be granted, by name.
var hardware = map[string]kind{
	"nvidia": {
		devices: []string{"/dev/nvidia*", "/dev/nvidia-caps*/*", "/dev/dxg"},
		reads: []string{"/proc/driver/nvidia*", "/proc/devices", "/proc/modules", "/sys/bus/pci", "/sys/devices/pci*",
			"/sys/module/nvidia*", "/usr/local/cuda*", "/usr/share/nvidia", "/etc/nvidia*"},
		cacheVariable: "CUDA_CACHE_PATH", cache: ".nv/ComputeCache",
	},
	"ascend": {
		devices: []string{"/dev/davinci*", "/dev/devmm_svm", "/dev/hisi_hdc", "/dev/svm0"},
		reads: []string{"/usr/local/Ascend", "/usr/local/dcmi", "/etc/ascend_install.info", "/sys/bus/pci",
			"/sys/devices/pci*"},
		cache: "ascend",
	},
	"intel": {
		devices: []string{"/dev/accel/*", "/dev/dri/*"},
		reads: []string{"/opt/intel", "/etc/OpenCL", "/sys/bus/pci", "/sys/devices/pci*", "/sys/class/accel",
			"/sys/class/drm", "/sys/dev/char"},
		cache: ".cache/ze_intel_npu_cache",
	},
	"qualcomm": {
		devices: []string{"/dev/fastrpc-*", "/dev/adsprpc-smd*", "/dev/dma_heap/*", "/dev/ion"},
		reads:   []string{"/dsp", "/vendor/dsp", "/usr/share/qcom", "/sys/devices/soc0"},
	},
}

// Hardware are the names of all kinds of hardware.
func Hardware() []string { return slices.Sorted(maps.Keys(hardware)) }

// keepsNothing tells whether the process may neither write files nor use any hardware that is here, whose drivers share
// memory with it. Then what it takes of memory is its own, or was handed to it.
func (g Grants) keepsNothing() bool {
	return len(g.Write) == 0 && !slices.ContainsFunc(g.Hardware, func(name string) bool {
		return len(matching(hardware[name].devices)) > 0
	})
}

// matching are the files that patterns match.
func matching(patterns []string) (paths []string) {
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		paths = append(paths, found...)
	}
	return paths
}

// cacheIn is the folder in which compiled kernels are kept, in an environment; empty: there is none.
func (k kind) cacheIn(env []string) string {
	value := func(name string) string {
		for _, entry := range env {
			if found, ok := strings.CutPrefix(entry, name+"="); ok {
				return found
			}
		}
		return ""
	}
	if k.cacheVariable != "" && value(k.cacheVariable) != "" {
		return value(k.cacheVariable)
	}
	if home := value("HOME"); home != "" && k.cache != "" {
		return filepath.Join(home, k.cache)
	}
	return ""
}
