// Package check is what a chunk's content must satisfy for every reader: each check is a function of slices or of one
// array, and refuses with an *InvalidError.
package check
