package manifest

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats"
)

// UserID is an integer id, or a string id when text is not empty.
type UserID struct {
	N    int64
	Text string
}

func ParseUserID(token string) UserID {
	if n, ok := formats.ParseID(token); ok {
		return UserID{N: n}
	}
	return UserID{Text: token}
}

// String is the id as the user writes it.
func (id UserID) String() string {
	if id.Text != "" {
		return id.Text
	}
	return strconv.FormatInt(id.N, 10)
}

// CompareIDs puts integers before strings; dense ids are given in this order.
func CompareIDs(a, b UserID) int {
	if (a.Text == "") != (b.Text == "") {
		if a.Text == "" {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.N, b.N), strings.Compare(a.Text, b.Text))
}

func IdAt(ids formats.IDs, i int) UserID {
	n, text := ids.At(i)
	return UserID{n, text}
}
