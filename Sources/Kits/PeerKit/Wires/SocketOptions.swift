/// The options of the sockets of peers.
enum SocketOptions {
    /// Bytes that may lie unsent in the system before a socket counts as not writable: what is written later than those is
    /// chosen later, so that a message overtakes a file of any size.
    private static let unsentBytes: Int32 = 16 << 10

    static func apply(_ socket: Int32) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        #if os(Linux) || os(Android)
            // TCP_NOTSENT_LOWAT
            set(socket, Int32(IPPROTO_TCP), 25, unsentBytes)
        #endif
    }

    static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The error of a connection that was begun without waiting; 0 if it was made.
    static func error(_ socket: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }
}
