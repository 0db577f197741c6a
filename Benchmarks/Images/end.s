// Linked behind the records.
.section .note.registry,"aw",%note
.globl benchmark_end
benchmark_end:
