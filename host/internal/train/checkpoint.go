package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/internal/durable"
)

// Keeper keeps what learning has come to in a file, so that it goes on after its process has died: with the same bits,
// for what a dropout drops is a function of the epoch. Nil keeps nothing.
type Keeper struct {
	Path    string
	Of      string        // what is learned, from what, and on what device: another's checkpoint is of no use
	Every   time.Duration // so much passes, at least, from one to the next
	Noticed func(error)   // told of what is not kept, or not read
	last    time.Time
}

// progress is all that the next epoch begins with.
type progress struct {
	Of         string      `json:"of"`
	Epochs     []Epoch     `json:"epochs"`
	Best       int         `json:"best"`
	Stop       stopping    `json:"stop"`
	Steps      int         `json:"steps"`   // of the optimizer
	Squares    bool        `json:"squares"` // it has squares
	Sizes      []int       `json:"sizes"`   // of parameters
	Kept       bool        `json:"kept"`    // there are parameters of a best epoch
	parameters [][]float32 // as Compiled.Learned; then the optimizer's means and squares, and those of the best epoch
	means      [][]float32
	squares    [][]float32
	best       [][]float32
}

// lists are the numbers of p, in the order in which they are written.
func (p *progress) lists() []*[][]float32 {
	all := []*[][]float32{&p.parameters, &p.means}
	if p.Squares {
		all = append(all, &p.squares)
	}
	if p.Kept {
		all = append(all, &p.best)
	}
	return all
}

func (p *progress) encode() ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	b = append(b, head...)
	for _, list := range p.lists() {
		for _, numbers := range *list {
			if b, err = binary.Append(b, binary.LittleEndian, numbers); err != nil {
				return nil, err
			}
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

var errDamaged = errors.New("it is not whole")

func decodeProgress(b []byte) (*progress, error) {
	if len(b) < 8+sha256.Size {
		return nil, errDamaged
	}
	body := b[:len(b)-sha256.Size]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], b[len(body):]) {
		return nil, errDamaged
	}
	size := binary.LittleEndian.Uint64(body)
	if size > uint64(len(body)-8) {
		return nil, errDamaged
	}
	p := &progress{}
	if err := json.Unmarshal(body[8:8+size], p); err != nil {
		return nil, err
	}
	rest := body[8+size:]
	for _, list := range p.lists() {
		for _, n := range p.Sizes {
			if n < 0 || 4*n > len(rest) {
				return nil, errDamaged
			}
			numbers := make([]float32, n)
			if _, err := binary.Decode(rest, binary.LittleEndian, numbers); err != nil {
				return nil, err
			}
			*list, rest = append(*list, numbers), rest[4*n:]
		}
	}
	return p, nil
}

// read is what an earlier attempt has come to, if there is one of the very same course.
func (k *Keeper) read() *progress {
	if k == nil {
		return nil
	}
	k.last = time.Now()
	file, err := os.ReadFile(k.Path)
	var p *progress
	if err == nil {
		p, err = decodeProgress(file)
	}
	if err == nil && p.Of != k.Of {
		err = errors.New("it is of another course: training begins anew")
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			k.Noticed(&checkpoint.Error{File: k.Path, Reason: "cannot be used", Err: err})
		}
		return nil
	}
	return p
}

// due tells whether it is time for a checkpoint.
func (k *Keeper) due() bool { return k != nil && time.Since(k.last) >= k.Every }

// write keeps p. What cannot be kept does not end the training.
func (k *Keeper) write(p *progress) {
	p.Of = k.Of
	k.last = time.Now()
	file, err := p.encode()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(k.Path), 0o700)
	}
	if err == nil {
		err = durable.Replace(k.Path, file, 0o600)
	}
	if err != nil {
		k.Noticed(&checkpoint.Error{File: k.Path, Reason: "cannot be written", Err: err})
	}
}

// Remove removes what is kept, which nobody needs any more.
func (k *Keeper) Remove() {
	if k == nil {
		return
	}
	if err := os.Remove(k.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.Noticed(&checkpoint.Error{File: k.Path, Reason: "cannot be removed", Err: err})
	}
}

// take is what a session has come to: all numbers that are learned, each list with its optimizer.
func take(numbers [][]float32, by []*neural.Optimizer[float32], l Learned, stop stopping) *progress {
	p := &progress{Epochs: l.Epochs, Best: l.Best, Stop: stop, Kept: l.Parameters != nil, best: l.Parameters,
		parameters: copied(numbers)}
	for i, each := range p.parameters {
		p.Sizes = append(p.Sizes, len(each))
		p.Steps = max(p.Steps, by[i].Steps)
		p.means = append(p.means, by[i].Mean)
		if p.Squares = by[i].Square != nil; p.Squares {
			p.squares = append(p.squares, by[i].Square)
		}
	}
	return p
}

// resume has a session go on from p.
func (p *progress) resume(numbers [][]float32, by []*neural.Optimizer[float32]) (l Learned, stop stopping, err error) {
	if len(p.Sizes) != len(numbers) {
		return l, stop, errDamaged
	}
	for i, each := range numbers {
		if p.Sizes[i] != len(each) {
			return l, stop, fmt.Errorf("list %d has %d numbers, not %d: %w", i, len(each), p.Sizes[i], errDamaged)
		}
		if p.Squares != (by[i].Square != nil) {
			return l, stop, fmt.Errorf("it is of another optimizer: %w", errDamaged)
		}
		if by[i].Mean, by[i].Steps = p.means[i], p.Steps; p.Squares {
			by[i].Square = p.squares[i]
		}
		copy(each, p.parameters[i])
	}
	return Learned{Epochs: p.Epochs, Best: p.Best, Parameters: p.best}, p.Stop, nil
}
