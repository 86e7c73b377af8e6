package launch

import (
	"errors"
	"os"
	"sync"

	"github.com/penstock-db/penstock/plugins"
)

// SelfArg is the argument by which a program that imports plugins/cpu/reexec serves as
// the CPU plugin instead of running its main.
const SelfArg = "penstock-plugin-cpu"

// Self is this very program as the CPU plugin, so that a device is always there. Its
// checksum is taken for the record, not compared: nothing but the file itself says what
// it should be.
func Self() (Spec, error) {
	if len(os.Args) > 1 && os.Args[1] == SelfArg && os.Getenv(plugins.Handshake.MagicCookieKey) != "" {
		return Spec{}, errors.New("this program does not serve the built-in CPU plugin: " +
			"import github.com/penstock-db/penstock/plugins/cpu/reexec in its main package")
	}
	path, err := selfPath()
	if err != nil {
		return Spec{}, err
	}
	return Spec{Name: "cpu", Path: path, Args: []string{SelfArg}, self: true}, nil
}

// selfDigest hashes this program once: it does not change while it runs.
var selfDigest = sync.OnceValues(func() (string, error) {
	path, err := selfPath()
	if err != nil {
		return "", err
	}
	return Digest(path)
})
