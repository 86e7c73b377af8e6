//go:build unix && !linux

package faulty

import "errors"

func traceHost() error { return errors.ErrUnsupported }

func flushDisks() error { return errors.ErrUnsupported }
