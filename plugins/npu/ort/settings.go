package ort

import (
	"maps"
	"slices"
)

// Settings that are for this package, not for the provider.
const (
	// library is the path of a provider's own shared library, where its vendor ships it apart from ONNX
	// Runtime (Qualcomm since 2.0, Intel's onnxruntime-ep-openvino …).
	library = "library"
	// hardware is the kind of device that such a provider shall take: npu, gpu or cpu.
	hardware = "hardware"
)

// preset are settings without which a provider would compute less exactly than its Facts say.
var preset = map[Provider]map[string]string{CUDA: {"use_tf32": "0"}}

// builtIn are settings without which a provider that is part of the library would run elsewhere.
var builtIn = map[Provider]map[string]string{OpenVINO: {"device_type": "NPU"}}

// over are the settings, and defaults where they say nothing.
func over(defaults, settings map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, defaults)
	maps.Copy(all, settings)
	return all
}

// forProvider leaves out what is for this package.
func forProvider(settings map[string]string) map[string]string {
	others := maps.Clone(settings)
	delete(others, library)
	delete(others, hardware)
	return others
}

// terminated are settings, sorted by key, as C has strings.
func terminated(settings map[string]string) (keys, values []*byte) {
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		keys = append(keys, cstring(key))
		values = append(values, cstring(settings[key]))
	}
	return keys, values
}

func cstring(s string) *byte { return &append([]byte(s), 0)[0] }
