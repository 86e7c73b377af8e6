//go:build unix && !linux

package launch

import "os"

func selfPath() (string, error) { return os.Executable() }
