// Package asm holds the generator of the kernels in assembly: a file that is no part of any build. In the folder above,
// `go generate` writes kernels_amd64.s and kernels_amd64.go anew.
package asm
