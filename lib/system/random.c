/* Random bytes from the kernel. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/request.h"
#include "os/fd.h"
#include "os/refusal.h"
#include "thread/pool.h"

/* Both give at most 32 MiB at a time, and less when a signal comes. `device` -1: ask the kernel. */
static int fill_from(int device, char* buf, size_t length) {
    while (length > 0) {
        ssize_t n = device == -1 ? getrandom(buf, length, 0) : read(device, buf, length);
        if (n > 0) {
            buf += n;
            length -= (size_t)n;
        } else if (n == 0) {
            return UV_EIO;
        } else if (errno != EINTR) {
            return ph_errno();
        }
    }
    return 0;
}

/* Where a sandbox refuses the call, the device has the same bytes. */
static int fill(char* buf, size_t length) {
    int err = fill_from(-1, buf, length);
    if (!ph_is_refusal(-err))
        return err;
    int device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (device == -1)
        return err;
    err = fill_from(device, buf, length);
    ph_fd_close(device);
    return err;
}

static uv_random_t* request_of(struct uv__work* work) {
    return PH_CONTAINER_OF(work, uv_random_t, work_req);
}

static void run_request(struct uv__work* work) {
    uv_random_t* req = request_of(work);
    req->status = fill(req->buf, req->buflen);
}

static void end_request(struct uv__work* work, int status) {
    uv_random_t* req = request_of(work);
    ph_request_end(req->loop);
    if (status == 0)
        status = req->status;
    PH_DISPATCH(req->loop, req, req->cb, req, status, req->buf, req->buflen);
}

int uv_random(uv_loop_t* loop, uv_random_t* req, void* buf, size_t buflen, unsigned int flags,
              uv_random_cb cb) {
    if (buflen > INT_MAX)
        return UV_E2BIG;
    if (flags != 0)
        return UV_EINVAL;
    if (cb == NULL)
        return fill(buf, buflen);
    if (loop == NULL || req == NULL)
        return UV_EINVAL;
    ph_request_init(loop, req, UV_RANDOM);
    req->loop = loop;
    req->status = 0;
    req->buf = buf;
    req->buflen = buflen;
    req->cb = cb;
    int err = ph_work_submit(loop, &req->work_req, PH_WORK_FAST, run_request, end_request);
    if (err != 0)
        ph_request_refuse(loop, req);
    return err;
}
