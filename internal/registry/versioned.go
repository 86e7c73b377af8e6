package registry

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/penstock-db/penstock/internal/durable"
)

// readVersioned reads what writeVersioned has written, of version 1, which stands in one of its fields. A field that is
// not known is refused: it may be a known one that is called otherwise.
//
// Errors: *ManifestError.
func readVersioned(text []byte, path string, to any, version *int) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return &ManifestError{File: path, Err: err}
	}
	if *version != 1 {
		return unknownVersion(path, *version, 1)
	}
	return nil
}

func unknownVersion(path string, found, known int) error {
	return &ManifestError{File: path, Field: "version",
		Err: fmt.Errorf("%d is not known; this program reads version %d", found, known)}
}

// writeVersioned has a file be that, or as it was.
func writeVersioned(path string, what any) error {
	text, err := json.MarshalIndent(what, "", "  ")
	if err != nil {
		return err
	}
	return durable.Replace(path, append(text, '\n'), 0o644)
}
