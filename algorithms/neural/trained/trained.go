// Package trained is a model that has learned, as it is kept: its architecture as text, its parameters as Arrow, and
// what it was trained on.
//
//	Model ──Encode──▶ Arrow stream: a row for each parameter, the rest as JSON in the schema's metadata ──Decode──▶ Model
//	                  SHA-256 of all before
//
// Any reader of Arrow streams can open such a file: what follows a stream's end is none of its business. The checksum
// is compared before anything is made of the file, so that no length in a damaged one is believed.
package trained

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"go.yaml.in/yaml/v3"

	"github.com/penstock-db/penstock/algorithms/neural"
)

// Model is a model that has learned.
type Model struct {
	Name         string       `json:"name"`
	Architecture neural.Model `json:"-"`

	Schema   neural.Schema      `json:"schema"`
	Features neural.FeatureSpec `json:"features"`
	Label    string             `json:"label"`             // the property that it learned
	Classes  []string           `json:"classes,omitempty"` // or labels, in the order of its outputs
	Integer  bool               `json:"integer,omitempty"` // Classes are integers

	Source
	Split   string            `json:"split"`
	Seed    uint64            `json:"seed"`
	Epochs  int               `json:"epochs"` // that it was trained for
	Best    int               `json:"best"`   // the one whose parameters these are
	Scores  map[string]Scores `json:"scores"` // by part of the split
	Device  string            `json:"device"`
	Version string            `json:"version"` // of the device's plugin
	SHA256  string            `json:"sha256"`  // of the plugin's binary
	Created time.Time         `json:"created"`

	Pairing

	Parameters []Parameter `json:"-"`
}

// Source is what a model was trained on.
type Source struct {
	Graph    string `json:"graph"`
	Part     *Part  `json:"part,omitempty"` // of the graph; nil: all of it
	Snapshot uint64 `json:"snapshot"`
}

// Part is which part of a graph a model was trained on, and is asked about: nodes that have one of the labels, and the
// relationships among them of one of the types, which lead as Orientation says. None is all.
type Part struct {
	Labels      []string `json:"labels,omitempty"`
	Types       []string `json:"types,omitempty"`
	Orientation string   `json:"orientation,omitempty"`
}

// Parameter is a matrix that was learned, row by row.
type Parameter struct {
	Name        string
	Rows, Width int
	Numbers     []float32
}

// Count is how many numbers the model has learned.
func (m *Model) Count() (count int) {
	for _, p := range m.Parameters {
		count += len(p.Numbers)
	}
	return count
}

// Elsewhere says whether another program has trained the model, of which nothing is known then.
func (m *Model) Elsewhere() bool { return m.SHA256 == "" }

// Compile makes the dataflow of the model. It fails where the parameters are not those of its architecture.
func (m *Model) Compile() (*neural.Compiled, error) {
	c, err := neural.Compile(m.Architecture, m.Schema)
	if err != nil {
		return nil, err
	}
	biases := 1
	if m.Directed {
		biases = 2
	}
	shapes := Shapes(c, m.Vertices.Len(), biases)
	if len(shapes) != len(m.Parameters) {
		return nil, fmt.Errorf("model %s has %d parameters, but its architecture has %d", m.Name, len(m.Parameters),
			len(shapes))
	}
	for i, shape := range shapes {
		if p := m.Parameters[i]; p.Name != shape.Name || p.Rows != shape.Rows || p.Width != shape.Width ||
			len(p.Numbers) != p.Rows*p.Width {
			return nil, fmt.Errorf("model %s has a parameter %s of %d × %d, where its architecture has %s of %d × %d", m.Name,
				p.Name, p.Rows, p.Width, shape.Name, shape.Rows, shape.Width)
		}
	}
	return c, nil
}

// FormatError is a file that holds no model, or not the whole of one.
type FormatError struct {
	File string
	Err  error
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%s is not a model, or is damaged: %v", e.File, e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

const (
	aboutKey        = "penstock.model"
	architectureKey = "penstock.architecture"
)

var fields = []arrow.Field{
	{Name: "parameter", Type: arrow.BinaryTypes.String},
	{Name: "rows", Type: arrow.PrimitiveTypes.Int64},
	{Name: "width", Type: arrow.PrimitiveTypes.Int64},
	{Name: "numbers", Type: arrow.ListOf(arrow.PrimitiveTypes.Float32)},
}

// describe is all of the model but its parameters, as JSON, and its architecture, as YAML.
func (m *Model) describe() (about, architecture string, err error) {
	first, err := json.Marshal(m)
	if err != nil {
		return "", "", err
	}
	second, err := yaml.Marshal(m.Architecture)
	return string(first), string(second), err
}

// parse reads what describe has written.
func (m *Model) parse(about, architecture string) error {
	if err := json.Unmarshal([]byte(about), m); err != nil {
		return err
	}
	return yaml.Unmarshal([]byte(architecture), &m.Architecture)
}

// Encode is the model as a file.
func (m *Model) Encode() ([]byte, error) {
	about, architecture, err := m.describe()
	if err != nil {
		return nil, err
	}
	metadata := arrow.NewMetadata([]string{aboutKey, architectureKey}, []string{about, architecture})
	columns := fields
	if m.Vertices != nil {
		columns = append(slices.Clone(fields), vertexFields...)
	}
	schema := arrow.NewSchema(columns, &metadata)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, p := range m.Parameters {
		b.Field(0).(*array.StringBuilder).Append(p.Name)
		b.Field(1).(*array.Int64Builder).Append(int64(p.Rows))
		b.Field(2).(*array.Int64Builder).Append(int64(p.Width))
		list := b.Field(3).(*array.ListBuilder)
		list.Append(true)
		list.ValueBuilder().(*array.Float32Builder).AppendValues(p.Numbers, nil)
		for k := len(fields); k < len(columns); k++ {
			b.Field(k).AppendNull()
		}
	}
	if m.Vertices != nil {
		m.Vertices.append(b)
	}
	record := b.NewRecord()
	defer record.Release()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	if err := errors.Join(w.Write(record), w.Close()); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...), nil
}

// Decode reads a model from a file.
//
// Errors: *FormatError.
func Decode(name string, file []byte) (m *Model, err error) {
	defer func() {
		if r := recover(); r != nil { // Arrow's reader panics on some damage
			err = fmt.Errorf("%v", r)
		}
		if err != nil {
			m, err = nil, &FormatError{name, err}
		}
	}()
	stream := file[:max(0, len(file)-sha256.Size)]
	if sum := sha256.Sum256(stream); !bytes.Equal(sum[:], file[len(stream):]) {
		return nil, errors.New("its checksum is another than it says")
	}
	r, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	metadata := r.Schema().Metadata()
	about, _ := metadata.GetValue(aboutKey)
	architecture, _ := metadata.GetValue(architectureKey)
	m = &Model{}
	if err := m.parse(about, architecture); err != nil {
		return nil, err
	}
	found := arrow.NewSchema(r.Schema().Fields(), nil)
	if !arrow.NewSchema(fields, nil).Equal(found) &&
		!arrow.NewSchema(append(slices.Clone(fields), vertexFields...), nil).Equal(found) {
		return nil, fmt.Errorf("its columns are %v", r.Schema().Fields())
	}
	for r.Next() {
		if err := m.read(r.Record()); err != nil {
			return nil, err
		}
	}
	return m, r.Err()
}

func (m *Model) read(record arrow.Record) (err error) {
	names, rows := record.Column(0).(*array.String), record.Column(1).(*array.Int64)
	widths, lists := record.Column(2).(*array.Int64), record.Column(3).(*array.List)
	all := lists.ListValues().(*array.Float32).Float32Values()
	for i := range int(record.NumRows()) {
		if int(record.NumCols()) > len(fields) && record.Column(len(fields)).IsValid(i) {
			if m.Vertices, err = readVertices(record, i); err != nil {
				return err
			}
			continue
		}
		from, to := lists.ValueOffsets(i)
		m.Parameters = append(m.Parameters, Parameter{Name: names.Value(i), Rows: int(rows.Value(i)),
			Width: int(widths.Value(i)), Numbers: append([]float32{}, all[from:to]...)})
	}
	return nil
}
