package graphalytics

import (
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// properties is what the .properties file says of the graph; the parameters of
// algorithms in it are not read.
type properties struct {
	orientation     formats.Orientation
	vertices, edges int64 // -1: not told
	columns         []string
}

// readProperties reads "graph.NAME.key = value" lines; path "" gives the defaults.
func readProperties(path string, opts formats.Options) (properties, error) {
	p := properties{vertices: -1, edges: -1}
	if path == "" {
		return p, nil
	}
	file, err := input.Open(path, nil, opts)
	if err != nil {
		return p, err
	}
	defer file.Close()
	lines := file.Lines()
	for lines.Next() {
		key, value, found := strings.Cut(string(lines.Bytes()), "=")
		if !found || strings.HasPrefix(strings.TrimSpace(key), "#") {
			continue
		}
		if err := p.set(lines, strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return p, err
		}
	}
	return p, lines.Err()
}

func (p *properties) set(lines *input.Lines, key, value string) error {
	switch {
	case strings.HasSuffix(key, ".directed"):
		return p.setDirected(lines, value)
	case strings.HasSuffix(key, ".meta.vertices"):
		return setCount(lines, &p.vertices, value)
	case strings.HasSuffix(key, ".meta.edges"):
		return setCount(lines, &p.edges, value)
	case strings.HasSuffix(key, ".edge-properties.names"):
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.TrimSpace(name); name != "" {
				p.columns = append(p.columns, name)
			}
		}
	}
	return nil
}

func (p *properties) setDirected(lines *input.Lines, value string) error {
	switch value {
	case "true":
		p.orientation = formats.Directed
	case "false":
		p.orientation = formats.Undirected
	default:
		return lines.BadLine("directed = true or false")
	}
	return nil
}

func setCount(lines *input.Lines, count *int64, value string) error {
	n, ok := formats.ParseID(value)
	if !ok {
		return lines.BadLine("a count")
	}
	*count = n
	return nil
}
