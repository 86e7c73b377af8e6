//go:build !linux

package snapshot

import "github.com/penstock-db/penstock/internal/pages"

// fetch asks the system to have the whole of a mapped value read soon. Reading it
// front to back, page by page, would keep a disk waiting.
func (r *Reader) fetch(value []byte) error {
	pages.WillNeed(value)
	return nil
}
