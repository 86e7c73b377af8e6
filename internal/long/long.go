// Package long tells tests whether to take their time. A test that draws cases draws few by default, so that
// `go test ./...` is short, and many where PENSTOCK_LONG=1 is set, as .ci/run sets it.
package long

import "os"

// Tests reports whether tests run in their long form: PENSTOCK_LONG is 1.
func Tests() bool { return os.Getenv("PENSTOCK_LONG") == "1" }
