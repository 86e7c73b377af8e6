//go:build !(darwin || freebsd || linux || netbsd)

package ort

import "errors"

func load(string) (uintptr, error) {
	return 0, errors.New("libraries are not loaded on this system")
}
