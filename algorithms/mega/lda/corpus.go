package lda

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Corpus is documents as lists of tokens, each the number of a word below Words.
type Corpus struct {
	Words     int
	Documents [][]uint32
}

// Append adds Count tokens of a word to a document.
func (c *Corpus) Append(document int, word uint32, count float64) error {
	where := fmt.Sprintf("word %d of document %d", word, document)
	switch {
	case document < 0 || document >= len(c.Documents) || int(word) >= c.Words:
		return &mega.DataError{Learner: "lda", Where: where,
			What: fmt.Sprintf("there are %d documents and %d words", len(c.Documents), c.Words), Do: "number both from 0"}
	case !(count >= 0 && count <= 1<<31) || count != math.Trunc(count):
		return &mega.DataError{Learner: "lda", Where: where, What: fmt.Sprintf("its count is %v", count),
			Do: "give a whole number of at least 0: how often the word occurs"}
	}
	for range int(count) {
		c.Documents[document] = append(c.Documents[document], word)
	}
	return nil
}

// Check refuses a corpus that nothing can be learned from.
func (c Corpus) Check() error {
	tokens := 0
	for d, words := range c.Documents {
		tokens += len(words)
		for _, w := range words {
			if int(w) >= c.Words {
				return &mega.DataError{Learner: "lda", Where: fmt.Sprintf("word %d of document %d", w, d),
					What: fmt.Sprintf("there are %d words", c.Words), Do: "number words from 0"}
			}
		}
	}
	if tokens == 0 {
		return &mega.DataError{Learner: "lda", What: "there are no words in documents",
			Do: "load a bipartite graph whose relationships go from documents to words and have a count"}
	}
	return nil
}
