package launch

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/penstock-db/penstock/internal/handshake"
)

// embeddedArg begins the argument by which a program that imports plugins/NAME/reexec serves
// as the plugin of that name instead of running its main.
const embeddedArg = "penstock-plugin-"

// SelfArg is that argument for the CPU plugin.
const SelfArg = embeddedArg + "cpu"

// Self is this very program as the CPU plugin, so that a device is always there.
func Self() (Spec, error) { return Embedded("cpu") }

// Embedded is this very program as one of the plugins that it serves. Its checksum is taken
// for the record, not compared: nothing but the file itself says what it should be.
func Embedded(name string) (Spec, error) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], embeddedArg) &&
		os.Getenv(handshake.Config.MagicCookieKey) != "" {
		embedded := strings.TrimPrefix(os.Args[1], embeddedArg)
		return Spec{}, fmt.Errorf(
			"this program does not serve the %s plugin: import github.com/penstock-db/penstock/plugins/%s/reexec in its main package",
			embedded, embedded)
	}
	path, err := selfPath()
	if err != nil {
		return Spec{}, err
	}
	return Spec{Name: name, Path: path, Args: []string{embeddedArg + name}, self: true}, nil
}

// TakeSelfDigest begins to take the digest of this program, which somebody will want to know: it takes as long as a
// short run.
func TakeSelfDigest() { go func() { _, _ = selfDigest() }() }

// selfDigest hashes this program once: it does not change while it runs.
var selfDigest = sync.OnceValues(func() (string, error) {
	path, err := selfPath()
	if err != nil {
		return "", err
	}
	return Digest(path)
})
