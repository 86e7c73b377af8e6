//go:build !amd64

package adam

var hasKernel = false

func stepAVX2(_, _, _, _ *float32, _ int, _, _, _ float32) {
	panic("there is no kernel for this processor")
}
