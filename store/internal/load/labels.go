package load

import (
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// labels are the label sets of the declared nodes. Codes are kept only from the first label on.
type labels struct {
	codes []uint32 // by number, as far as known: the code of the label set
	sets  *names
}

// add notes the label sets of a batch's nodes, which are numbered from first on.
func (l *labels) add(b *formats.NodeBatch, first int) {
	if b.Labels == nil {
		return
	}
	l.pad(first)
	for _, set := range b.Labels {
		l.codes = append(l.codes, l.sets.code(set))
	}
}

// pad gives the nodes before number end that have no code yet no label.
func (l *labels) pad(end int) {
	for len(l.codes) < end {
		l.codes = append(l.codes, l.sets.code(""))
	}
}

func (l *labels) bytes() int64 { return 4*int64(cap(l.codes)) + l.sets.bytes() }

// write stores the column of codes and returns it with the labels in all sets; without labels there is none.
func (l *labels) write(g *generation.Generation, p *places) (sets manifest.LabelSets, distinct []string, err error) {
	if len(l.codes) == 0 {
		return sets, nil, nil
	}
	l.pad(int(p.count))
	sets.Sets = l.sets.list
	sets.Column, err = generation.WriteColumn(g, "labels", arrow.PrimitiveTypes.Uint32, p.byDense(l.codes))
	return sets, distinctLabels(l.sets.list), err
}

// distinctLabels are the labels in sets, in the order in which they were first met.
func distinctLabels(sets []string) []string {
	labels := newNames()
	for _, set := range sets {
		for label := range strings.SplitSeq(set, ";") {
			if label != "" {
				labels.code(label)
			}
		}
	}
	return labels.list
}
