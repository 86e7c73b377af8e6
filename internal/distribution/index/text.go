package index

import "encoding/json"

// Text is that of an index's file, the same for the same index.
func (ix *Index) Text() ([]byte, error) {
	text, err := json.MarshalIndent(ix, "", "  ")
	return append(text, '\n'), err
}
