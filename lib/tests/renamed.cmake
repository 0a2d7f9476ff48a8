# On 32 bits, glibc gives the functions with large offsets and times other names in the objects: a
# test that replaces one of them at link time replaces it under that name.
set(renamed
  clock_gettime __clock_gettime64 epoll_pwait2 __epoll_pwait2_time64 fcntl __fcntl_time64
  fopen fopen64 fstat __fstat64_time64 fstatat __fstatat64_time64 ftruncate ftruncate64
  getrlimit getrlimit64 getrusage __getrusage64 getsockopt __getsockopt64 ioctl __ioctl_time64
  nanosleep __nanosleep64 open open64 pread pread64
  pthread_cond_timedwait __pthread_cond_timedwait64 pwrite pwrite64 pwritev pwritev64
  pwritev2 pwritev64v2
  readdir readdir64 recvmmsg __recvmmsg64 recvmsg __recvmsg64 sendfile sendfile64
  sendmmsg __sendmmsg64 sendmsg __sendmsg64 setsockopt __setsockopt64
  sigtimedwait __sigtimedwait64)

function(wrap_call target call)
  list(FIND renamed ${call} at)
  if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND at GREATER -1)
    math(EXPR at "${at} + 1")
    list(GET renamed ${at} name)
    target_compile_definitions(${target} PRIVATE __wrap_${call}=__wrap_${name}
                               __real_${call}=__real_${name})
    set(call ${name})
  endif()
  target_link_options(${target} PRIVATE "LINKER:--wrap=${call}")
endfunction()
