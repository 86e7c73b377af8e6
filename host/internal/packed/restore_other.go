//go:build !amd64

package packed

// restore makes words of differences, and tells where the differences end.
func restore(block *[blockBytes]byte, from *stored, signs bool) (end int) {
	return restorePlain(block, from, signs)
}
