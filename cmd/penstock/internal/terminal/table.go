package terminal

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/penstock-db/penstock/internal/plaintext"
)

const barWidth = 24

// cleaned writes what is printed of a text: what is in tables others have written, such as properties and plugins.
type cleaned struct{ to io.Writer }

func (c cleaned) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.to, plaintext.Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// NewTable is a plain table without frame, as psql's and kubectl's users read them.
func NewTable(w io.Writer, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(cleaned{w})
	t.SetStyle(table.StyleLight)
	t.SuppressTrailingSpaces()
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header = text.FormatDefault
	if len(header) > 0 {
		t.AppendHeader(table.Row(header))
	}
	return t
}

// Bar draws share (0 to 1) in eighths of a character cell.
func Bar(share float64) string {
	eighths := int(share*barWidth*8 + 0.5)
	full, rest := eighths/8, eighths%8
	drawn := strings.Repeat("█", full)
	if rest > 0 {
		drawn += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return drawn
}
