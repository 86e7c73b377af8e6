package lda

// counts are how many tokens of a document each topic has, of those that it has.
type counts struct {
	topics []uint16
	many   []int32
	place  []int32 // by topic, 1 more than its place in the two; 0: it has none
}

func newCounts(topics int) counts { return counts{place: make([]int32, topics)} }

func (c *counts) clear() {
	for _, k := range c.topics {
		c.place[k] = 0
	}
	c.topics, c.many = c.topics[:0], c.many[:0]
}

// add counts one more, and says how many there are.
func (c *counts) add(k uint16) int32 {
	if at := c.place[k]; at > 0 {
		c.many[at-1]++
		return c.many[at-1]
	}
	c.topics, c.many = append(c.topics, k), append(c.many, 1)
	c.place[k] = int32(len(c.topics))
	return 1
}

// remove takes one away of a topic that has some, and says how many are left. The last topic comes in the place of one
// that has none.
func (c *counts) remove(k uint16) int32 {
	at := c.place[k] - 1
	if c.many[at]--; c.many[at] > 0 {
		return c.many[at]
	}
	last := len(c.topics) - 1
	moved := c.topics[last]
	c.topics[at], c.many[at], c.place[moved] = moved, c.many[last], at+1
	c.place[k] = 0
	c.topics, c.many = c.topics[:last], c.many[:last]
	return 0
}
