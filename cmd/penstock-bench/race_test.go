//go:build race

package main

// race: tests and the processes that they start have the race detector, which takes several times the memory.
const race = true
