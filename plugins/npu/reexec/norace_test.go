//go:build !race

package reexec_test

const race = false
