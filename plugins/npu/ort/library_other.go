//go:build !(darwin || freebsd || linux || netbsd) || static

package ort

import "errors"

func load(string) (uintptr, error) {
	return 0, errors.New("this program was built to load no libraries")
}

func inProgram(string) uintptr { return 0 }

func bind(any, uintptr) {} // nothing was loaded
