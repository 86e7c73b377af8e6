package chunk_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// The byte diagram in doc.go is what the four-vertex graph really encodes to: what it
// shows is right, and it leaves out nothing of the body but zeroes.
func TestDoc_ByteDiagram(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	rest := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	want := bytes.Clone(rest)
	lines := regexp.MustCompile(`(?m)^//\t *(\d+)  ((?:[0-9a-f]{2} )+)`).FindAllStringSubmatch(string(doc), -1)
	for _, line := range lines {
		at, _ := strconv.Atoi(line[1])
		shown, _ := hex.DecodeString(strings.ReplaceAll(line[2], " ", ""))
		if !bytes.Equal(shown, want[at:at+len(shown)]) {
			t.Errorf("doc.go shows % x at %d; the bytes are % x", shown, at, want[at:at+len(shown)])
		}
		clear(rest[at : at+len(shown)])
	}
	const body = 768
	if i := bytes.IndexFunc(rest[body:], func(r rune) bool { return r != 0 }); len(lines) == 0 || i >= 0 {
		t.Errorf("doc.go shows %d lines and not byte %d", len(lines), body+i)
	}
}
