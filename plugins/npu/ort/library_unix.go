//go:build (darwin || freebsd || linux || netbsd) && !static

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

// inProgram is the address of a C function of the program itself; 0 where there is none of the name.
func inProgram(name string) uintptr {
	address, _ := purego.Dlsym(purego.RTLD_DEFAULT, name)
	return address
}

// bind makes a Go function of the type that function points to call C's at an address.
func bind(function any, address uintptr) { purego.RegisterFunc(function, address) }
