//go:build !amd64

package neural

// vectorSum is the kernel for this processor; nil: there is none.
var vectorSum rowKernel
