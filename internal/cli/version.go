package cli

import (
	"fmt"
	"runtime"
)

// Version names a build: its release or commit, Go's version and the platform.
func Version(release string) string {
	return fmt.Sprintf("%s %s %s/%s", release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
