/*
 * void go__switch(void** save, void* to): keeps what a function has to keep (AAPCS64: x19 to x30
 * and the lower halves of v8 to v15) on the stack of the caller, whose stack pointer goes to *save,
 * and goes on where the stack `to` was left. go__context_make writes the same layout.
 */
    .text
    .globl go__switch
    .hidden go__switch
    .type go__switch, %function
    .p2align 4
go__switch:
    .cfi_startproc
    stp x29, x30, [sp, #-160]!
    .cfi_def_cfa_offset 160
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x19, x20, [sp, #16]
    .cfi_rel_offset x19, 16
    .cfi_rel_offset x20, 24
    stp x21, x22, [sp, #32]
    .cfi_rel_offset x21, 32
    .cfi_rel_offset x22, 40
    stp x23, x24, [sp, #48]
    .cfi_rel_offset x23, 48
    .cfi_rel_offset x24, 56
    stp x25, x26, [sp, #64]
    .cfi_rel_offset x25, 64
    .cfi_rel_offset x26, 72
    stp x27, x28, [sp, #80]
    .cfi_rel_offset x27, 80
    .cfi_rel_offset x28, 88
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp d14, d15, [sp, #144]
    ldp d12, d13, [sp, #128]
    ldp d10, d11, [sp, #112]
    ldp d8, d9, [sp, #96]
    ldp x27, x28, [sp, #80]
    ldp x25, x26, [sp, #64]
    ldp x23, x24, [sp, #48]
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #160
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size go__switch, .-go__switch

/* The first thing on a new stack: calls x19(x20), which does not come back. Who looks at the stack
 * sees its end here. */
    .globl go__enter
    .hidden go__enter
    .type go__enter, %function
    .p2align 4
go__enter:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x20
    blr x19
    brk #0
    .cfi_endproc
    .size go__enter, .-go__enter
    .section .note.GNU-stack, "", %progbits
