#!/usr/bin/env bash
# Writes to standard output, in assembly, a trampoline for each function that cuda.h declares (but cuInit, which
# shim.c has), the table that they jump through, and the names it is filled by:
#
#   trampolines.sh PATH/cuda.h >trampolines.S
#
# An entry of the table is `first` until the library is loaded. That keeps all registers in which arguments
# come, loads, and goes on through the table, to the entry that the trampoline has left in r11.
set -euo pipefail

names=$(gcc -E -P -include "$1" -x c /dev/null | tr '\n' ' ' | tr ';' '\n' |
	sed -n 's/.*\bCUresult *\(cu[A-Z][A-Za-z0-9_]*\) *(.*/\1/p' | grep -vx cuInit | sort -u)
[ "$(wc -l <<<"$names")" -ge 100 ] || { echo "trampolines.sh: $1 declares next to no functions" >&2; exit 1; }

cat <<'HEAD'
	.text
	.type first, @function
first:
	push %rbp
	mov %rsp, %rbp
	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %r8
	push %r9
	push %rax
	push %r11
	sub $32, %rsp
	movsd %xmm0, 0(%rsp)
	movsd %xmm1, 8(%rsp)
	movsd %xmm2, 16(%rsp)
	movsd %xmm3, 24(%rsp)
	call penstock_libcuda_load
	movsd 0(%rsp), %xmm0
	movsd 8(%rsp), %xmm1
	movsd 16(%rsp), %xmm2
	movsd 24(%rsp), %xmm3
	add $32, %rsp
	pop %r11
	pop %rax
	pop %r9
	pop %r8
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	pop %rbp
	lea penstock_libcuda_table(%rip), %r10
	jmp *(%r10, %r11, 8)
HEAD
i=0
for name in $names; do
	printf '\t.globl %s\n\t.hidden %s\n\t.type %s, @function\n%s:\n\tmov $%d, %%r11d\n\tjmp *penstock_libcuda_table+8*%d(%%rip)\n' \
		"$name" "$name" "$name" "$name" "$i" "$i"
	i=$((i + 1))
done
printf '\t.data\n\t.align 8\n\t.globl penstock_libcuda_table\n\t.hidden penstock_libcuda_table\npenstock_libcuda_table:\n'
for name in $names; do printf '\t.quad first\n'; done
printf '\t.section .data.rel.ro, "aw"\n\t.align 8\n\t.globl penstock_libcuda_names\n\t.hidden penstock_libcuda_names\npenstock_libcuda_names:\n'
for name in $names; do printf '\t.quad name_%s\n' "$name"; done
printf '\t.section .rodata\n\t.align 4\n\t.globl penstock_libcuda_count\n\t.hidden penstock_libcuda_count\npenstock_libcuda_count:\n\t.long %d\n' "$i"
for name in $names; do printf 'name_%s:\n\t.string "%s"\n' "$name" "$name"; done
printf '\t.section .note.GNU-stack, "", @progbits\n'
