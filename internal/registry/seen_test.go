package registry

import (
	"errors"
	"strings"
	"testing"
)

// What is revoked may stand in a field that is called otherwise.
func TestMemory_RefusesFieldsThatItDoesNotKnow(t *testing.T) {
	digest := strings.Repeat("0", 64)
	for text, known := range map[string]bool{
		`{"version":1,"indexes":{"/x":{"serial":1,"sha256":"` + digest + `","revoked":[{"plugin":"turbine"}]}}}`: true,
		`{"version":1,"indexes":{"/x":{"serial":1,"sha256":"` + digest + `","retired":[{"plugin":"turbine"}]}}}`: false,
		`{"version":1,"plugins":{}}`: false,
	} {
		_, err := parseMemory([]byte(text), seenFile)
		if _, refused := errors.AsType[*ManifestError](err); refused == known || err != nil && !refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}
