//go:build !amd64

package neural

func vectorKernels() map[string]rowKernel {
	return map[string]rowKernel{}
}
