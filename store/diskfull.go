package store

import "github.com/penstock-db/penstock/store/internal/space"

// DiskFull turns the system's "no space left", met while writing in dir, into a *DiskFullError.
func DiskFull(dir string, err error) error { return space.DiskFull(dir, err) }
