//go:build darwin || freebsd || linux || netbsd

package ort

import "github.com/ebitengine/purego"

// load returns the address of the one function that the library exports. A library is never
// unloaded: threads of its own may outlive what was asked of it.
func load(path string) (uintptr, error) {
	library, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	return purego.Dlsym(library, "OrtGetApiBase")
}
