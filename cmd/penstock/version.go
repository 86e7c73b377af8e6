package main

import (
	"fmt"
	"runtime"

	"github.com/penstock-db/penstock"
)

// version names the build: release or commit, Go version and platform.
func version() string {
	return fmt.Sprintf("%s %s %s/%s", penstock.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
