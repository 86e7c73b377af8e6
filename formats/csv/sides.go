package csv

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats"
)

// ratingEnds are what the ends of a rating are called in headers of published ratings, in small letters.
var ratingEnds = [][2]string{{"userid", "movieid"}, {"userid", "itemid"}, {"user_id", "movie_id"}, {"user_id", "item_id"},
	{"user_id", "book_id"}, {"user", "item"}, {"user", "movie"}}

// ratingColumn holds what is to be learned: a number in each row, also where the first ones are integers.
const ratingColumn = "rating"

// dialectsOf are the dialects in which a header may be: of a bipartite graph that of its sides first.
func dialectsOf(opts formats.Options) []dialect {
	if opts.Left.Label == "" {
		return dialects
	}
	return append([]dialect{sidesHeader(opts.Left, opts.Right)}, dialects...)
}

// sidesHeader reads headers of a bipartite graph, whose ends are in the columns that left and right name, else in those
// of ratingEnds.
func sidesHeader(left, right formats.Side) dialect {
	return func(names []string) ([]column, bool, *problem) {
		start, end := slices.Index(names, left.Column), slices.Index(names, right.Column)
		if left.Column+right.Column == "" {
			start, end = findRating(names)
		} else if start < 0 || end < 0 || start == end {
			return nil, true, &problem{0, fmt.Sprintf("columns %q and %q in the header", left.Column, right.Column)}
		}
		columns, ok, wrong := edgeHeader(names, start, end)
		for i := range columns {
			if c := &columns[i]; c.inferred && strings.EqualFold(c.name, ratingColumn) {
				c.inferred, c.valueType = false, valueType{scalar: finiteType}
			}
		}
		return columns, ok, wrong
	}
}

func findRating(names []string) (start, end int) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	for _, ends := range ratingEnds {
		start, end = slices.Index(lower, ends[0]), slices.Index(lower, ends[1])
		if start >= 0 && end >= 0 {
			return start, end
		}
	}
	return -1, -1
}

// SniffRatings is true when a file that begins with first has a header of ratings: "userId,movieId,rating,timestamp".
func SniffRatings(first []byte) bool {
	line := firstLine(first)
	ratings := []dialect{sidesHeader(formats.Side{}, formats.Side{})}
	if bytes.IndexByte(line, 0) >= 0 {
		return false
	}
	delimiter := guessDelimiter(line, ratings)
	return isHeader(line, delimiter, ratings) && slices.ContainsFunc(fieldsOf(line, delimiter), func(name string) bool {
		return strings.EqualFold(name, ratingColumn)
	})
}
