//go:build !unix

package ort

func allocate(size int) ([]byte, error) { return make([]byte, size), nil }

func free([]byte) error { return nil }
