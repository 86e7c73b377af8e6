// Package asm holds the generator of the kernel in assembly: a file that is no part of any build. In the folder above,
// `go generate` writes kernel_amd64.s and kernel_amd64.go anew.
package asm
