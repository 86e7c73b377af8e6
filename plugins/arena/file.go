package arena

import "runtime"

// CanMapFiles tells whether this machine can read chunks where they lie in a file: it maps
// files, and loads numbers from any address.
const CanMapFiles = runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
