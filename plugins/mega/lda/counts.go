package lda

// counts are how many tokens of a document each topic has, of those that it has.
type counts struct {
	topics []uint16
	many   []float32
	place  []int32 // by topic, 1 more than its place in the two; 0: it has none
}

func newCounts(topics int) counts { return counts{place: make([]int32, topics)} }

func (c *counts) clear() {
	for _, k := range c.topics {
		c.place[k] = 0
	}
	c.topics, c.many = c.topics[:0], c.many[:0]
}

func (c *counts) add(k uint16) {
	if at := c.place[k]; at > 0 {
		c.many[at-1]++
		return
	}
	c.topics, c.many = append(c.topics, k), append(c.many, 1)
	c.place[k] = int32(len(c.topics))
}

// remove takes one away of a topic that has some. The last topic comes in the place of one that has none left.
func (c *counts) remove(k uint16) {
	at := c.place[k] - 1
	if c.many[at]--; c.many[at] > 0 {
		return
	}
	last := len(c.topics) - 1
	moved := c.topics[last]
	c.topics[at], c.many[at], c.place[moved] = moved, c.many[last], at+1
	c.place[k] = 0
	c.topics, c.many = c.topics[:last], c.many[:last]
}

func (c *counts) of(k uint16) float32 {
	if at := c.place[k]; at > 0 {
		return c.many[at-1]
	}
	return 0
}
