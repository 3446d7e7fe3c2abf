/// A socket that listens on an address of this machine.
package struct ListeningSocket: Sendable {
    private static let attempts = 20

    package let descriptor: Int32
    package let port: Int
    /// Whether only programs of this machine can connect.
    package let isLoopback: Bool

    /// Listens on 127.0.0.1, on a wanted port or the next free one.
    ///
    /// - Parameter port: 0 for any.
    /// - Throws: `ListeningError` if neither the port nor one of the following ones is free.
    package init(port wanted: Int) throws {
        try Self.check(wanted)
        let last = wanted == 0 ? 0 : min(wanted + Self.attempts - 1, 65535)
        var code: Int32 = 0
        for port in wanted...last {
            switch Self.open("127.0.0.1", port) {
            case .success(let socket):
                self = socket
                return
            case .failure(let failure): code = failure.code
            }
            guard code == EADDRINUSE else { break }
        }
        throw Self.error("127.0.0.1", wanted, String(cString: strerror(code)))
    }

    /// Listens on one port of one address.
    ///
    /// - Parameters:
    ///   - host: An address or a name of this machine; `0.0.0.0` and `::` for all of its addresses.
    ///   - port: 0 for any.
    /// - Throws: `ListeningError` if the address is not one of this machine, or the port is taken.
    package init(host: String, port: Int) throws {
        try Self.check(port)
        switch Self.open(host, port) {
        case .success(let socket): self = socket
        case .failure(let failure): throw Self.error(host, port, failure.reason)
        }
    }

    private struct Failure: Error {
        let code: Int32
        let reason: String
    }

    private init(descriptor: Int32, port: Int, isLoopback: Bool) {
        (self.descriptor, self.port, self.isLoopback) = (descriptor, port, isLoopback)
    }

    private static func check(_ port: Int) throws {
        guard (0...65535).contains(port) else {
            throw ListeningError(
                "\(port) is not the number of a port", hint: "ports are 1 to 65535; 0 takes any")
        }
    }

    private static func error(_ host: String, _ port: Int, _ reason: String) -> ListeningError {
        ListeningError(
            "\(host) cannot be listened on at port \(port): \(reason)", hint: "choose another port; 0 takes any")
    }

    /// Opens a socket of the first address that a host has.
    private static func open(_ host: String, _ port: Int) -> Result<ListeningSocket, Failure> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = found else {
            return .failure(Failure(code: 0, reason: String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            first.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor >= 0, let bound = listen(descriptor, first.pointee) { return .success(bound) }
        let failure = Failure(code: errno, reason: String(cString: strerror(errno)))
        if descriptor >= 0 { close(descriptor) }
        return .failure(failure)
    }

    /// Binds the socket and listens; returns nil with `errno` if that fails.
    private static func listen(_ descriptor: Int32, _ address: addrinfo) -> ListeningSocket? {
        var on: Int32 = 1
        // A port with connections in the state TIME_WAIT counts as free.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 && systemListen(descriptor, 511) == 0
                    && getsockname(descriptor, plain, &length) == 0
            }
        }
        guard named else { return nil }
        return withUnsafeBytes(of: bound) { bytes in
            // The port stands in the same place in both kinds of addresses, the address behind it or behind the flow.
            let port = Int(UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
            let isLoopback =
                Int32(bound.ss_family) == AF_INET
                ? bytes[4] == 127 : bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
            return ListeningSocket(descriptor: descriptor, port: port, isLoopback: isLoopback)
        }
    }
}

/// A function outside the type, in which `listen` means the method and not the C function.
private func systemListen(_ descriptor: Int32, _ waiting: Int32) -> Int32 { listen(descriptor, waiting) }
