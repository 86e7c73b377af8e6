package kernels

import (
	"embed"
	"fmt"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// images are the modules as clang has compiled them.
//
//go:embed *.ptx
var images embed.FS

// image is the PTX of a module.
func image(module string) (string, error) {
	text, err := images.ReadFile(module + ".ptx")
	if err != nil {
		return "", fmt.Errorf("the kernels: %w", err)
	}
	return string(text), nil
}

// Load has the driver compile a module that calls no lowered functions: "plain" …
func Load(module string) (*driver.Module, error) {
	text, err := image(module)
	if err != nil {
		return nil, err
	}
	return driver.Load(text)
}

// functions are the kernels of these names.
func functions(m *driver.Module, names []string) (map[string]driver.Function, error) {
	all := map[string]driver.Function{}
	for _, name := range names {
		f, err := m.Function(name)
		if err != nil {
			return nil, err
		}
		all[name] = f
	}
	return all, nil
}
