#pragma once
#include <libwebsockets.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

/// The bytes libwebsockets wants writable in front of what it is given to send; a macro, which
/// Swift cannot import.
static const size_t board_lws_pre = LWS_PRE;

/// The kind of lws_write() that makes a close frame. The library's own headers keep it to
/// themselves (private-lib-roles-ws.h); the number is the gap they leave in `enum
/// lws_write_protocol`.
static const enum lws_write_protocol board_lws_write_close = (enum lws_write_protocol)4;

/// The one function libwebsockets calls. Declared here, written in Swift (Callback.swift).
int board_lws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                       size_t len);

/// Bytes of this TCP connection the peer has acknowledged, or -1. A shim because the two headers
/// that describe `struct tcp_info` cannot be imported side by side.
int64_t board_tcp_bytes_acked(int fd);

/// accept4() with SOCK_NONBLOCK and SOCK_CLOEXEC, which Swift's view of glibc leaves out.
int board_accept(int listener, struct sockaddr *address, socklen_t *length);
