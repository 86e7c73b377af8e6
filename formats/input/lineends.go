package input

import "io"

// endsByCR tells whether lines of a text end by a carriage return alone, as on the first Macs, and as old spreadsheets
// still write them: there is one outside of quotes, and no line feed, nor a 0 as in files that are no text.
func endsByCR(head []byte) (found bool) {
	quoted := false
	for _, c := range head {
		switch c {
		case '\n', 0:
			return false
		case '"':
			quoted = !quoted
		case '\r':
			found = found || !quoted
		}
	}
	return found
}

// lineFeeds reads each carriage return as a line feed.
type lineFeeds struct{ of io.Reader }

func (l lineFeeds) Read(p []byte) (int, error) {
	n, err := l.of.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
