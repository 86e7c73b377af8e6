package trained_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A model that is written as safetensors is read back, to the bit.
func TestDecodeSafetensors(t *testing.T) {
	m := model(t, testseed.Rand(t))
	file, err := m.EncodeSafetensors()
	if err != nil {
		t.Fatal(err)
	}
	if !trained.IsSafetensors(file) {
		t.Error("it does not begin as it should")
	}
	back, err := trained.DecodeSafetensors("f", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, back) {
		t.Error("what is read is not what was written")
	}
}

// foreign is a file as other programs write it, of the parameters of m, each as change leaves it.
func foreign(t *testing.T, m *trained.Model, kind string, write func([]byte, float32) []byte,
	change func(name string, header map[string]any)) []byte {
	t.Helper()
	header, data := map[string]any{}, []byte{}
	for _, p := range m.Parameters {
		from := len(data)
		for _, x := range p.Numbers {
			data = write(data, x)
		}
		about := map[string]any{"dtype": kind, "shape": []int{p.Rows, p.Width}, "data_offsets": []int{from, len(data)}}
		header[p.Name] = about
		change(p.Name, about)
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}

func single(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
}

func asIs(string, map[string]any) {}

// Parameters of other programs, of every precision, take the place of a model's, which forgets how it was trained.
func TestDecodeSafetensors_Like(t *testing.T) {
	m := model(t, testseed.Rand(t))
	for kind, write := range map[string]func([]byte, float32) []byte{
		"F32": single,
		"F64": func(b []byte, x float32) []byte {
			return binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(x)))
		},
		"BF16": func(b []byte, x float32) []byte {
			return binary.LittleEndian.AppendUint16(b, uint16(math.Float32bits(x)>>16))
		},
		"F16": func(b []byte, _ float32) []byte { return binary.LittleEndian.AppendUint16(b, 0x3800) }, // 0.5
	} {
		file := foreign(t, m, kind, write, asIs)
		var format *trained.FormatError
		if _, err := trained.DecodeSafetensors("f", file, nil); !errors.As(err, &format) ||
			!errors.Is(err, trained.ErrNoArchitecture) {
			t.Errorf("%s without a model: %v", kind, err)
		}
		back, err := trained.DecodeSafetensors("f", file, m)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range back.Parameters {
			for j, x := range p.Numbers {
				want := float64(m.Parameters[i].Numbers[j])
				if kind == "F16" {
					want = 0.5
				}
				if off := math.Abs(float64(x) - want); kind == "BF16" && off > want/128 || kind != "BF16" && off > 0 {
					t.Fatalf("%s: %s[%d] is %v, want %v", kind, p.Name, j, x, want)
				}
			}
		}
		if back.Scores != nil || back.SHA256 != "" || back.Label != m.Label {
			t.Errorf("%s: it says of its training %+v", kind, back)
		}
	}
}

// What is wrong with a file is named, with the parameter and what to do.
func TestDecodeSafetensors_Wrong(t *testing.T) {
	m := model(t, testseed.Rand(t))
	first := m.Parameters[0]
	of := func(change func(map[string]any)) []byte {
		return foreign(t, m, "F32", single, func(name string, about map[string]any) {
			if name == first.Name {
				change(about)
			}
		})
	}
	notFinite := of(func(map[string]any) {})
	copy(notFinite[len(notFinite)-4:], single(nil, float32(math.NaN())))
	fewer := *m
	fewer.Parameters = m.Parameters[1:]
	for want, file := range map[string][]byte{
		"transpose it":     of(func(a map[string]any) { a["shape"] = []int{first.Width, first.Rows} }),
		"has the shape":    of(func(a map[string]any) { a["shape"] = []int{1, 2, 3} }),
		"numbers are I64":  of(func(a map[string]any) { a["dtype"] = "I64" }),
		"of 4 bytes":       of(func(a map[string]any) { a["data_offsets"] = []int{4, 4 + 4*len(first.Numbers) - 1} }),
		"lies in bytes -8": of(func(a map[string]any) { a["data_offsets"] = []int{-8, 4*len(first.Numbers) - 8} }),
		"is NaN":           notFinite,
		"the file lacks":   foreign(t, &fewer, "F32", single, asIs),
		"header has":       {255, 0, 0, 0, 0, 0, 0, 0, '{'},
		"shorter":          {1, 2},
		"its header":       {1, 0, 0, 0, 0, 0, 0, 0, '{'},
	} {
		if _, err := trained.DecodeSafetensors("f", file, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q: %v", want, err)
		}
	}
	extra := *m
	extra.Parameters = append(append([]trained.Parameter{}, m.Parameters...), trained.Parameter{Name: "other", Rows: 1,
		Width: 1, Numbers: []float32{1}})
	_, err := trained.DecodeSafetensors("f", foreign(t, &extra, "F32", single, asIs), m)
	var parameter *trained.ParameterError
	if !errors.As(err, &parameter) || parameter.Parameter != "other" {
		t.Errorf("a parameter too many: %v", err)
	}
}

// Whatever the bytes are, they are read or refused.
func FuzzDecodeSafetensors(f *testing.F) {
	m := model(f, rand.New(rand.NewPCG(5, 5)))
	file, err := m.EncodeSafetensors()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, like := range []*trained.Model{nil, m} {
			if back, err := trained.DecodeSafetensors("f", file, like); err == nil {
				if _, err := back.Compile(); err != nil {
					t.Errorf("what is read cannot be compiled: %v", err)
				}
			}
		}
	})
}
