package lda

// list is how many tokens of a word each topic has, of those that it has. Behind them, up to a multiple of group, are
// entries of none.
type list []entry

type entry struct{ topic, many int32 }

// group is how many entries a kernel takes at once.
const group = 8

// find is the place of a topic that the list has, or -1.
func (l list) find(k uint16) int {
	for i := range l {
		if l[i].topic == int32(k) {
			return i
		}
	}
	return -1
}

// add counts one more of a topic, which has that place, if it is known. There is room for it.
func (l *list) add(k uint16, place int) {
	if place < 0 {
		place = l.find(k)
	}
	if place < 0 {
		*l = append(*l, entry{int32(k), 1})
		return
	}
	(*l)[place].many++
}

// drop takes the topic at a place out, if it has none left. The last comes in its place.
func (l *list) drop(place int, none entry) {
	if (*l)[place].many > 0 {
		return
	}
	last := len(*l) - 1
	(*l)[place] = (*l)[last]
	(*l)[last] = none
	*l = (*l)[:last]
}

// lists are those of words, by mirror. A word has no more topics than tokens, and there is room for one more while a
// token goes from one to another. What has changed in a clock is not in the rows of words, which lie apart, before
// settle.
type lists struct {
	of      []list
	met     []int32 // the clock in which a word was read last; 0: it was not
	changed []bool  // since its row was settled
	room    []entry
	none    entry // of a topic that does not exist
}

func newLists(words, topics int, room int64) lists {
	none := entry{int32(topics), 0}
	return lists{make([]list, words), make([]int32, words), make([]bool, words), make([]entry, room), none}
}

// room is what a word takes of so many tokens.
func room(tokens int64, topics int) int64 {
	return (min(tokens+1, int64(topics)) + group - 1) / group * group
}

// read makes the list of a word by its row.
func (l *lists) read(word uint32, row []int32) list {
	if l.of[word] == nil {
		tokens := int64(0)
		for _, n := range row {
			tokens += int64(n)
		}
		size := room(tokens, len(row))
		l.of[word], l.room = l.room[:0:size], l.room[size:]
	}
	of := l.of[word][:0]
	for k, n := range row {
		if n > 0 {
			of = append(of, entry{int32(k), n})
		}
	}
	rest := of[len(of):cap(of)]
	for i := range rest {
		rest[i] = l.none
	}
	l.of[word] = of
	return of
}

// expect has the list of a word come, if it has been read, which is gone through soon.
func (l *lists) expect(word uint32) {
	if of := l.of[word]; len(of) > 0 {
		fetch(&of[0].topic)
	}
}

// settle writes the list of a word as its row.
func (l *lists) settle(word uint32, row []int32) {
	if !l.changed[word] {
		return
	}
	l.changed[word] = false
	clear(row)
	for _, e := range l.of[word] {
		row[e.topic] = e.many
	}
}
