package algorithms

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// defineTable makes the result of a definition a table.
func (a *Algorithm) defineTable(d Definition) error {
	if d.Pairs || a.Shape == OfPaths {
		return errors.New("a table is of rows, not of pairs or paths of each vertex: leave pairs and steps out")
	}
	if err := CheckTable(a.Result); err != nil {
		return err
	}
	factors, err := factorsOf(d.Rows, a.Params)
	if err != nil {
		return err
	}
	a.Shape = OfRows
	a.Rows = func(args Args) int { return product(factors, args) }
	return nil
}

// CheckTable fails unless columns may be those of a table of rows.
func CheckTable(columns []Column) error {
	if first := columns[0]; first.Type != VertexID && first.Type != Int || first.Width != "" {
		return fmt.Errorf("the first column of a table, %s, ends it: it must be of type vertex or int, with one value a row",
			first.Name)
	}
	return nil
}

// factor is what a number of rows is multiplied by.
type factor func(Args) int64

// factorsOf reads a product, such as vertices*k.
func factorsOf(text string, params []Param) (all []factor, err error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("has %d bytes; expected %d at most", len(text), maxText)
	}
	for word := range strings.SplitSeq(text, "*") {
		word = strings.TrimSpace(word)
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == word })
		switch count, failed := strconv.ParseInt(word, 10, 64); {
		case failed == nil && count > 0 && count <= MaxRows:
			all = append(all, func(Args) int64 { return count })
		case word == "vertices":
			all = append(all, func(args Args) int64 { return int64(args.N) })
		case word == "edges":
			all = append(all, func(args Args) int64 { return int64(args.M) })
		case i >= 0 && params[i].Type == ParamVertices && !params[i].Optional:
			all = append(all, func(args Args) int64 { return int64(len(args.Vertices[word])) })
		case i >= 0 && params[i].Type == ParamInt && (params[i].Default != "" || !params[i].Optional):
			all = append(all, func(args Args) int64 { return args.Ints[word] })
		default:
			return nil, fmt.Errorf("%q is no factor: expected a number from 1 to %d, vertices, edges, or a parameter of type int or vertices that is always given",
				word[:min(len(word), 100)], MaxRows)
		}
	}
	return all, nil
}

// product is from 1 to MaxRows.
func product(factors []factor, args Args) int {
	rows := int64(1)
	for _, of := range factors {
		count := max(0, of(args))
		if count > 0 && rows > MaxRows/count {
			rows = MaxRows // a further factor may be 0
			continue
		}
		rows *= count
	}
	return int(max(1, rows))
}

// Filled is how many rows of a table are filled, by its first column.
func Filled(first []int64) int {
	if end := slices.Index(first, Unreached); end >= 0 {
		return end
	}
	return len(first)
}
