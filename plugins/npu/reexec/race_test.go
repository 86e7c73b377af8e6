//go:build race

package reexec_test

// race: the test in process finds what races there are; over the border all takes as long again.
const race = true
