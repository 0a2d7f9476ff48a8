/*
 * void go__switch(void** save, void* to): keeps what a function has to keep (the ABI for x86-64:
 * rbx, rbp, r12 to r15, and the control words of both floating-point units) on the stack of the
 * caller, whose stack pointer goes to *save, and goes on where the stack `to` was left.
 *
 * A stack that rests looks like this, from the stack pointer up: the control words (8 bytes), r15,
 * r14, r13, r12, rbx, rbp, the address to go on at. go__context_make writes the same.
 */
    .text
    .globl go__switch
    .hidden go__switch
    .type go__switch, @function
    .p2align 4
go__switch:
    .cfi_startproc
    /* Where the last push below will leave room; early, because reading them takes long. */
    stmxcsr -56(%rsp)
    fnstcw -52(%rsp)
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    push %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    push %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    push %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    push %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    sub $8, %rsp
    .cfi_adjust_cfa_offset 8
    mov (%rsp), %eax
    movzwl 4(%rsp), %ecx
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    /* Loading the control words is slow and almost never changes them. */
    cmp %eax, (%rsp)
    jne 2f
1:
    cmp %cx, 4(%rsp)
    jne 3f
4:
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    pop %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    pop %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    pop %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    pop %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    pop %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    pop %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    /* Not a jump: the processor's own list of return addresses stays in step, and is right where both
     * sides have come the same way. */
    ret
2:
    .cfi_adjust_cfa_offset 56
    .cfi_rel_offset rbp, 48
    .cfi_rel_offset rbx, 40
    .cfi_rel_offset r12, 32
    .cfi_rel_offset r13, 24
    .cfi_rel_offset r14, 16
    .cfi_rel_offset r15, 8
    ldmxcsr (%rsp)
    jmp 1b
3:
    fldcw 4(%rsp)
    jmp 4b
    .cfi_endproc
    .size go__switch, .-go__switch

/* The first thing on a new stack: calls r12(r13), which does not come back. Who looks at the stack
 * sees its end here. */
    .globl go__enter
    .hidden go__enter
    .type go__enter, @function
    .p2align 4
go__enter:
    .cfi_startproc
    .cfi_undefined rip
    .cfi_undefined rbp
    mov %r13, %rdi
    call *%r12
    ud2
    .cfi_endproc
    .size go__enter, .-go__enter
    .section .note.GNU-stack, "", @progbits
