//go:build !(darwin || freebsd || linux || netbsd) || static

package ort

import "errors"

func load(string) (uintptr, error) {
	return 0, errors.New("this program was built to load no libraries")
}

func bind(any, uintptr) {} // nothing was loaded
