//go:build race

package drivertest

// race: the server is built with the race detector, as this test is.
const race = true
