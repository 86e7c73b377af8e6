package ort

import (
	"maps"
	"testing"
)

func TestSettings(t *testing.T) {
	given := map[string]string{"library": "l.so", "hardware": "gpu", "device_id": "1"}
	all := over(preset[CUDA], given)
	if want := map[string]string{"device_id": "1", "use_tf32": "0"}; !maps.Equal(forProvider(all), want) {
		t.Errorf("got %v, want %v", forProvider(all), want)
	}
	if own := over(preset[CUDA], map[string]string{"use_tf32": "1"}); own["use_tf32"] != "1" {
		t.Errorf("the user's setting was lost: %v", own)
	}
	keys, values := terminated(map[string]string{"b": "", "a": "1"})
	if text(keys[0]) != "a" || text(values[0]) != "1" || text(keys[1]) != "b" || text(values[1]) != "" {
		t.Error("settings are not sorted by key")
	}
}

func TestChoose(t *testing.T) {
	cpu, gpu, npu := device{1, "P", "cpu"}, device{2, "P", "gpu"}, device{3, "P", "npu"}
	other := device{4, "Q", "npu"}
	for _, c := range []struct {
		devices []device
		wanted  string
		want    device
	}{
		{[]device{cpu, gpu, npu}, "", npu}, {[]device{other, cpu, gpu}, "", gpu}, {[]device{cpu, other}, "", cpu},
		{[]device{npu, gpu, cpu}, "cpu", cpu}, {[]device{cpu, other}, "npu", device{}}, {nil, "", device{}},
	} {
		if got, ok := choose(c.devices, "P", c.wanted); got != c.want || ok != (c.want != device{}) {
			t.Errorf("%v, wanted %q: got %v", c.devices, c.wanted, got)
		}
	}
}
