// The linker places this object before those with records.
.section .note.registry,"aw",%note
.balign 8
.globl benchmark_begin
benchmark_begin:
