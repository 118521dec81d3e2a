#define _GNU_SOURCE
#include "CLoopShims.h"
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

int64_t board_tcp_bytes_acked(int fd)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
    return (int64_t)info.tcpi_bytes_acked;
}

int board_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
