// Package asm holds the generator of the kernels in assembly: files that are no part of any build, and a list of
// modules of their own, avo.mod. In the folder above, `go generate` writes kernels_amd64.s and kernels_amd64.go anew.
package asm
