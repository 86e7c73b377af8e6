// Command gibbs finds topics by a plain collapsed Gibbs sampler (Griffiths and Steyvers, PNAS 2004), which goes through
// all K topics for each token, and says how well they foretell words of documents that it has not seen: a baseline to
// measure others by.
//
//	go run ./bench/gibbs -topics 50 -sweeps 50,200,500 docword.kos.txt
//
// Each tenth document is held out. Half of its tokens, drawn by the seed, are seen: topics of the document are sampled
// for these, words of topics fixed. The perplexity is of the other tokens: exp(-mean log Σ_k θ_dk·φ_kw), the θ being
// the mean over the second half of -fold sweeps.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gibbs:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("gibbs", flag.ContinueOnError)
	topics := flags.Int("topics", 50, "how many topics there are")
	sweeps := flags.String("sweeps", "50,200,500", "after how many sweeps the perplexity is computed")
	alpha := flags.Float64("alpha", 0.1, "of the prior of a document's topics")
	beta := flags.Float64("beta", 0.01, "of the prior of a topic's words")
	fold := flags.Int("fold", 100, "sweeps over what is seen of a held-out document")
	seed := flags.Uint64("seed", 1, "of all that is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *topics < 1 || *fold < 2 {
		return fmt.Errorf("one file of a bag of words, topics and two sweeps of held-out documents are needed")
	}
	c, err := read(flags.Arg(0))
	if err != nil {
		return err
	}
	s := newSampler(c, *topics, *alpha, *beta, rand.New(rand.NewPCG(*seed, 0)))
	for _, words := range c.held {
		s.random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	}
	fmt.Fprintf(out, "%d tokens of %d documents to learn from, %d documents held out; unigram perplexity %.1f\n", len(s.words),
		len(c.learn), len(c.held), s.unigram())
	done, took := 0, 0.0
	for text := range strings.SplitSeq(*sweeps, ",") {
		until, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		began := used()
		for ; done < until; done++ {
			s.sweep()
		}
		took += used() - began
		fmt.Fprintf(out, "%d sweeps: perplexity %.1f, %.2f s of a processor, %.2f M tokens/s\n", done, s.perplexity(*fold), took,
			float64(done)*float64(len(s.words))/took/1e6)
	}
	return nil
}

// used is the seconds of processors that the process has taken.
func used() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// corpus is the words of documents, token by token.
type corpus struct {
	words       int
	learn, held [][]int32
}

// read reads a bag of words.
func read(path string) (*corpus, error) {
	f, err := input.Open(path, nil, formats.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	c, documents, at := &corpus{}, [][]int32(nil), 0
	for ; lines.Scan(); at++ {
		var n [3]int
		for i, field := range strings.Fields(lines.Text()) {
			if n[i%3], err = strconv.Atoi(field); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, at+1, err)
			}
		}
		switch {
		case at == 0:
			documents = make([][]int32, n[0])
		case at == 1:
			c.words = n[0]
		case at > 2 && (n[0] < 1 || n[0] > len(documents) || n[1] < 1 || n[1] > c.words):
			return nil, fmt.Errorf("%s:%d: no document, or no word, of those that there are", path, at+1)
		case at > 2:
			for range n[2] {
				documents[n[0]-1] = append(documents[n[0]-1], int32(n[1]-1))
			}
		}
	}
	for d, words := range documents {
		if d%10 == 9 {
			c.held = append(c.held, words)
		} else {
			c.learn = append(c.learn, words)
		}
	}
	return c, lines.Err()
}

// sampler is the state: a topic of each token, and counts of them.
type sampler struct {
	*corpus
	topics      int
	alpha, beta float64
	random      *rand.Rand

	words, of     []int32 // of each token to learn from: its word, and its document
	topic         []int32 // of each token
	byDocument    []int32 // documents × topics
	byWord        []int32 // words × topics
	total         []int32 // topics
	probabilities []float64
}

func newSampler(c *corpus, topics int, alpha, beta float64, random *rand.Rand) *sampler {
	s := &sampler{corpus: c, topics: topics, alpha: alpha, beta: beta, random: random,
		byDocument: make([]int32, len(c.learn)*topics), byWord: make([]int32, c.words*topics), total: make([]int32, topics),
		probabilities: make([]float64, topics)}
	for d, words := range c.learn {
		for _, w := range words {
			z := int32(random.IntN(topics))
			s.words, s.of, s.topic = append(s.words, w), append(s.of, int32(d)), append(s.topic, z)
			s.count(d, w, z, 1)
		}
	}
	return s
}

func (s *sampler) count(d int, w, z, by int32) {
	s.byDocument[d*s.topics+int(z)] += by
	s.byWord[int(w)*s.topics+int(z)] += by
	s.total[z] += by
}

// sweep samples the topic of every token anew.
func (s *sampler) sweep() {
	smooth := s.beta * float64(s.corpus.words)
	for i, w := range s.words {
		d := int(s.of[i])
		s.count(d, w, s.topic[i], -1)
		document, word, sum := s.byDocument[d*s.topics:][:s.topics], s.byWord[int(w)*s.topics:][:s.topics], 0.0
		for z := range s.probabilities {
			sum += (float64(document[z]) + s.alpha) * (float64(word[z]) + s.beta) / (float64(s.total[z]) + smooth)
			s.probabilities[z] = sum
		}
		s.topic[i] = s.draw(sum)
		s.count(d, w, s.topic[i], 1)
	}
}

// draw draws a topic by cumulated probabilities.
func (s *sampler) draw(sum float64) int32 {
	x := s.random.Float64() * sum
	for z, up := range s.probabilities {
		if x < up {
			return int32(z)
		}
	}
	return int32(s.topics - 1)
}

// phi is how probable a word is in a topic.
func (s *sampler) phi(w int32, z int) float64 {
	return (float64(s.byWord[int(w)*s.topics+z]) + s.beta) / (float64(s.total[z]) + s.beta*float64(s.corpus.words))
}

// perplexity is that of the second half of each held-out document, the first being seen.
func (s *sampler) perplexity(fold int) float64 {
	logs, tokens := 0.0, 0
	theta := make([]float64, s.topics)
	for _, words := range s.held {
		half := (len(words) + 1) / 2
		s.infer(words[:half], fold, theta)
		for _, w := range words[half:] {
			p := 0.0
			for z, share := range theta {
				p += share * s.phi(w, z)
			}
			logs, tokens = logs+math.Log(p), tokens+1
		}
	}
	return math.Exp(-logs / float64(tokens))
}

// infer samples topics for what is seen of a document, words of topics fixed.
func (s *sampler) infer(seen []int32, fold int, theta []float64) {
	clear(theta)
	counts, topic := make([]int32, s.topics), make([]int32, len(seen))
	for i := range seen {
		topic[i] = int32(s.random.IntN(s.topics))
		counts[topic[i]]++
	}
	for round := range fold {
		for i, w := range seen {
			counts[topic[i]]--
			sum := 0.0
			for z := range s.probabilities {
				sum += (float64(counts[z]) + s.alpha) * s.phi(w, z)
				s.probabilities[z] = sum
			}
			topic[i] = s.draw(sum)
			counts[topic[i]]++
		}
		if round < fold/2 {
			continue
		}
		for z := range theta {
			theta[z] += (float64(counts[z]) + s.alpha) / (float64(len(seen)) + s.alpha*float64(s.topics)) / float64(fold-fold/2)
		}
	}
}

// unigram is the perplexity of the same tokens where each word is as probable as it is frequent.
func (s *sampler) unigram() float64 {
	frequent := make([]float64, s.corpus.words)
	for _, w := range s.words {
		frequent[w]++
	}
	logs, tokens := 0.0, 0
	for _, words := range s.held {
		for _, w := range words[(len(words)+1)/2:] {
			logs += math.Log((frequent[w] + s.beta) / (float64(len(s.words)) + s.beta*float64(s.corpus.words)))
			tokens++
		}
	}
	return math.Exp(-logs / float64(tokens))
}
