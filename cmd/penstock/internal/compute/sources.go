package compute

import (
	"fmt"
	"os"
	"strings"

	"github.com/penstock-db/penstock/internal/cli"
)

// sourceIDs reads --sources: ids with commas in between, or @FILE with one a line.
func (r *requestFlags) sourceIDs() ([]string, error) {
	if !r.flags.Changed("sources") {
		return nil, nil
	}
	ids := strings.Split(r.sources, ",")
	if file, ok := strings.CutPrefix(r.sources, "@"); ok {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--sources: %w", err)
		}
		ids = strings.Split(string(text), "\n")
	}
	var all []string
	for _, id := range ids {
		if id = strings.TrimSpace(id); id != "" {
			all = append(all, id)
		}
	}
	if len(all) == 0 {
		return nil, cli.UsageError{Err: fmt.Errorf(
			"--sources %q names no vertex: write ids with commas in between, or @FILE with one a line", r.sources)}
	}
	return all, nil
}
