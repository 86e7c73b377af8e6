//go:build !amd64

package lda

var kernel, detected = false, false

func fetch(*int32) {}

func chooseAVX2(*int32, int, *float32, *float32, int32, float32, float32) (from, to int32, own float32) {
	panic("lda: there is no such kernel")
}
