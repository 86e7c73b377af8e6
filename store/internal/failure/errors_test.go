package failure

import (
	"errors"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
)

// A piece of a later version is not called damaged: a newer program reads it.
func TestDamagedError(t *testing.T) {
	const damaged, later = `graph "g" is damaged: out-chunk 3: `, `graph "g" cannot be read: out-chunk 3: `
	for err, want := range map[error]string{
		errors.New("the checksum differs"):                                    damaged,
		fmt.Errorf("stored: %w", &chunk.VersionError{Found: 9, Supported: 3}): later,
	} {
		want += err.Error()
		if got := (&DamagedError{Graph: "g", Kind: "out-chunk", Number: 3, Err: err}).Error(); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}
