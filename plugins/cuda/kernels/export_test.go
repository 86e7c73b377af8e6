package kernels

import "github.com/penstock-db/penstock/algorithms"

// LoadProcessed is LoadTemplate for messages that are processed an edge at a time, whatever their form.
func LoadProcessed(spec *algorithms.Program, lowered string) (*Template, error) {
	return loadTemplate(spec, form{name: processed, state: -1}, lowered)
}

// Linked is what the driver is given.
func Linked(spec *algorithms.Program, lowered string) (string, error) {
	_, names := newTemplate(spec, formOf(spec))
	return linked(names, lowered)
}

// Modules are the images, by name.
func Modules() map[string]string {
	all := map[string]string{}
	for _, name := range []string{"template", "plain", "procedure", "solve", "sums", "network"} {
		all[name], _ = image(name)
	}
	return all
}
