// The linker places this object after those with records.
.section .note.registry,"aw",%note
.globl benchmark_end
benchmark_end:
