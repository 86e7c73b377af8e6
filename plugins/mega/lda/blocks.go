package lda

// blockTopics is how many topics have a sum of their own.
const blockTopics = 32

// blocks are sums over topics of a weight of words: of each word in all, and block of topics by block. So a topic is
// drawn by its weight in about the time of a block and of their number (Yu et al.: A Scalable Asynchronous Distributed
// Algorithm for Topic Modeling, WWW 2015, has the same with more levels).
type blocks struct {
	width int // blocks of a word
	total []float32
	parts []float32
}

func newBlocks(topics, words int) blocks {
	width := (topics + blockTopics - 1) / blockTopics
	return blocks{width, make([]float32, words), make([]float32, words*width)}
}

func (b *blocks) of(word uint32) []float32 { return b.parts[int(word)*b.width:][:b.width] }

func (b *blocks) add(word uint32, k uint16, by float32) {
	b.total[word] += by
	b.parts[int(word)*b.width+int(k)/blockTopics] += by
}

// find is the block in which the weights of a word add up to more than at, and how much of at is left in it. Where
// rounding has left at above them all, it is the last block.
func (b *blocks) find(word uint32, at float32) (block int, rest float32) {
	parts := b.of(word)
	for i, x := range parts {
		if at < x {
			return i, at
		}
		at -= x
	}
	return len(parts) - 1, at
}
