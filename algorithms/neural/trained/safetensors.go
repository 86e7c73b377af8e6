package trained

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/arrow/float16"

	"github.com/penstock-db/penstock/algorithms/neural"
)

// A safetensors file is the length of a header, the header as JSON, and all numbers
// (huggingface.co/docs/safetensors). PyTorch and others read and write it. What the header says beside the tensors are
// texts by name; of a file that Penstock has written, those of an Arrow stream's metadata.

// tensor is what the header says of a tensor.
type tensor struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"` // among the numbers, in bytes
}

// headerText is the name of the texts in a header.
const headerText = "__metadata__"

// EncodeSafetensors is the model as a safetensors file.
func (m *Model) EncodeSafetensors() ([]byte, error) {
	about, architecture, err := m.describe()
	if err != nil {
		return nil, err
	}
	header, at := map[string]any{headerText: map[string]string{aboutKey: about, architectureKey: architecture}}, 0
	var data []byte
	for _, p := range m.Parameters {
		for _, x := range p.Numbers {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		header[p.Name] = tensor{"F32", []int{p.Rows, p.Width}, [2]int{at, len(data)}}
		at = len(data)
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	for len(text)%8 != 0 {
		text = append(text, ' ') // so that numbers are aligned
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), data...), nil
}

// ErrNoArchitecture says that a safetensors file has parameters alone, as PyTorch writes them.
var ErrNoArchitecture = errors.New("it has parameters, but does not say of what model")

// DecodeSafetensors reads a model from a safetensors file. The parameters replace those of like, a model of the same
// architecture; or like is nil, and the file is one that EncodeSafetensors has written.
//
// Errors: *FormatError, which wraps ErrNoArchitecture where like is needed; *ParameterError.
func DecodeSafetensors(name string, file []byte, like *Model) (*Model, error) {
	texts, tensors, data, err := splitSafetensors(file)
	if err != nil {
		return nil, &FormatError{name, err}
	}
	m := &Model{}
	switch {
	case like != nil:
		*m = *like
		m.Source, m.Split, m.Seed, m.Epochs, m.Best, m.Scores = Source{}, "", 0, 0, 0, nil
		m.Device, m.Version, m.SHA256, m.Created = "", "", "", time.Now().UTC()
	case texts[architectureKey] == "":
		return nil, &FormatError{name, ErrNoArchitecture}
	default:
		if err := m.parse(texts[aboutKey], texts[architectureKey]); err != nil {
			return nil, &FormatError{name, err}
		}
	}
	m.Parameters, err = m.take(tensors, data)
	return m, err
}

// splitSafetensors reads the header of a file.
func splitSafetensors(file []byte) (texts map[string]string, tensors map[string]tensor, data []byte, err error) {
	if len(file) < 8 {
		return nil, nil, nil, errors.New("it is shorter than the length of a header")
	}
	length, rest := binary.LittleEndian.Uint64(file), file[8:]
	if length > uint64(len(rest)) {
		return nil, nil, nil, fmt.Errorf("its header has %d bytes, but %d follow", length, len(rest))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(rest[:length], &header); err != nil {
		return nil, nil, nil, fmt.Errorf("its header: %w", err)
	}
	tensors = make(map[string]tensor, len(header))
	for key, raw := range header {
		if key == headerText {
			err = json.Unmarshal(raw, &texts)
		} else {
			var t tensor
			err = json.Unmarshal(raw, &t)
			tensors[key] = t
		}
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s in its header: %w", key, err)
		}
	}
	return texts, tensors, rest[length:], nil
}

// ParameterError is a parameter of a file that is not the one that a model has.
type ParameterError struct{ Model, Parameter, Message string }

func (e *ParameterError) Error() string {
	return fmt.Sprintf("parameter %s of model %s: %s", e.Parameter, e.Model, e.Message)
}

// take finds the parameters that the model's architecture has among tensors.
func (m *Model) take(tensors map[string]tensor, data []byte) ([]Parameter, error) {
	c, err := neural.Compile(m.Architecture, m.Schema)
	if err != nil {
		return nil, err
	}
	list := make([]Parameter, len(c.Learned))
	left := maps.Clone(tensors)
	for i, l := range c.Learned {
		p := &list[i]
		*p = Parameter{Name: l.Value.Name, Rows: l.Value.Rows, Width: l.Value.Width}
		wrong := func(format string, args ...any) error {
			return &ParameterError{m.Name, p.Name, fmt.Sprintf(format, args...)}
		}
		t, has := tensors[p.Name]
		if !has {
			return nil, wrong("the file lacks it; it has %q", slices.Sorted(maps.Keys(tensors)))
		}
		delete(left, p.Name)
		if !t.is(p.Rows, p.Width) {
			hint := ""
			if t.is(p.Width, p.Rows) {
				hint = "; transpose it, for PyTorch's Linear keeps outputs × inputs"
			}
			return nil, wrong("the file has the shape %v, the model has %d × %d%s", t.Shape, p.Rows, p.Width, hint)
		}
		if p.Numbers, err = t.numbers(data, p.Rows, p.Width); err != nil {
			return nil, wrong("%v", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		return nil, &ParameterError{m.Name, name, "the file has it, the model does not"}
	}
	return list, nil
}

// is says whether t is a matrix of that shape; a vector is a row.
func (t tensor) is(rows, width int) bool {
	return slices.Equal(t.Shape, []int{rows, width}) || rows == 1 && slices.Equal(t.Shape, []int{width})
}

// numberTypes are how long a number of each type is, and what it is.
var numberTypes = map[string]struct {
	size int
	read func([]byte) float64
}{
	"F64": {8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }},
	"F32": {4, func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }},
	"F16": {2, func(b []byte) float64 {
		return float64(float16.FromBits(binary.LittleEndian.Uint16(b)).Float32())
	}},
	"BF16": {2, func(b []byte) float64 {
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	}},
}

// numbers are the numbers of t, which is so many rows of so many.
func (t tensor) numbers(data []byte, rows, width int) ([]float32, error) {
	kind, known := numberTypes[t.Type]
	if !known {
		return nil, fmt.Errorf("its numbers are %s; they must be one of %v", t.Type, slices.Sorted(maps.Keys(numberTypes)))
	}
	from, to := t.Offsets[0], t.Offsets[1]
	if from < 0 || to > len(data) || float64(to-from) != float64(rows)*float64(width)*float64(kind.size) {
		return nil, fmt.Errorf("it lies in bytes %d to %d of %d, but has %d rows of %d numbers of %d bytes", from, to,
			len(data), rows, width, kind.size)
	}
	numbers := make([]float32, 0, (to-from)/kind.size)
	for at := from; at < to; at += kind.size {
		x := float32(kind.read(data[at : at+kind.size]))
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("number %d is %v", len(numbers), x)
		}
		numbers = append(numbers, x)
	}
	return numbers, nil
}

// IsSafetensors says whether a file begins like one: with a length and a header in JSON.
func IsSafetensors(file []byte) bool {
	return len(file) > 9 && binary.LittleEndian.Uint64(file) <= uint64(len(file)-8) && bytes.HasPrefix(file[8:], []byte("{"))
}
