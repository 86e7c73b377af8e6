package arena

import "golang.org/x/sys/unix"

// Populate has the system find the memory of r, which is about to be written or read as a
// whole, in one step instead of page by page. Where it cannot, nothing is lost but time.
func (a *Arena) Populate(r Range) {
	if pages := a.pages(r); len(pages) > 0 {
		_ = unix.Madvise(pages, unix.MADV_POPULATE_WRITE) // Linux 5.14
	}
}

// Discard gives the memory of r back to the system. What lay there is zero then, except at
// the ends of r where they share a page with other ranges.
func (a *Arena) Discard(r Range) {
	if pages := a.pages(r); len(pages) > 0 {
		_ = unix.Madvise(pages, unix.MADV_REMOVE)
	}
}
