#!/usr/bin/env bash
# Makes the PTX of the kernels anew, which is committed so that nobody else needs a compiler for it:
#
#   eval "$(../setup.sh --clang)" && ./ptx.sh
#
# A module is a file NAME.cu of the list below, which includes its parts, and becomes NAME.ptx. It is for compute
# capability 7.0 (Volta); drivers compile it for their card, and later ones too. Where $PENSTOCK_PTXAS is NVIDIA's
# assembler, modules that call no lowered functions are assembled, for the oldest card and recent ones, and may not spill
# (template.ptx is in a test, with such functions).
set -euo pipefail
cd "$(dirname "$0")"

modules="template plain procedure solve sums network"

compile() { # module
	"${PENSTOCK_CLANG:-clang-16}" -x cuda --cuda-device-only -S -O3 -std=c++17 -Wall -Wno-unused-function -Werror \
		--cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -nocudainc -nocudalib -ffp-contract=off \
		-include prelude.cuh "$1.cu" -o "$1.ptx"
}

assemble() { # module; registers that do not suffice are a mistake, too
	local card said
	for card in sm_70 sm_80 sm_90; do
		said=$("$PENSTOCK_PTXAS" -v -arch="$card" "$1.ptx" -o /dev/null 2>&1) || { echo "$said" >&2; return 1; }
		if grep -B 1 '[1-9][0-9]* bytes spill' <<<"$said" >&2; then
			echo "$1.ptx spills on $card" >&2
			return 1
		fi
	done
}

for module in $modules; do
	[ -e "$module.cu" ] || continue
	compile "$module"
	if [ -n "${PENSTOCK_PTXAS:-}" ] && ! grep -q '^\.extern \.func' "$module.ptx"; then
		assemble "$module"
	fi
done
