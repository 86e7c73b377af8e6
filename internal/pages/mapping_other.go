//go:build !linux

package pages

func readProgramSingly() {}
