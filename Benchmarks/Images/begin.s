// Linked before the records.
.section .note.registry,"aw",%note
.balign 8
.globl benchmark_begin
benchmark_begin:
