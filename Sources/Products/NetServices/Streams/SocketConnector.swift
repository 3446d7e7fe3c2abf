import Foundation

/// Makes connections to hosts and addresses, within a time.
enum SocketConnector {
    /// How long one address is tried.
    static let timeout: Int32 = 10_000

    /// Connects to the first address of a host that answers.
    ///
    /// - Throws: `NetServiceError` if the host has no address; else `POSIXError` of the last address.
    static func connect(host: String, port: Int) throws -> Int32 {
        guard (1...65_535).contains(port) else {
            throw NetServiceError(
                .badArgumentError, "\(port) is not the number of a port", hint: "ports are 1 to 65535")
        }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else {
            throw NetServiceError(
                .notFoundError, "the host '\(host)' has no address: \(String(cString: gai_strerror(code)))",
                hint: "check the name, or give an address")
        }
        defer { freeaddrinfo(found) }
        var addresses: [Data] = []
        var next = found
        while let address = next {
            addresses.append(Data(bytes: address.pointee.ai_addr, count: Int(address.pointee.ai_addrlen)))
            next = address.pointee.ai_next
        }
        return try connect(addresses)
    }

    /// Connects to the first of some addresses, each a `sockaddr`, that answers.
    static func connect(_ addresses: [Data]) throws -> Int32 {
        var last: any Error = POSIXError(.EADDRNOTAVAIL)
        for address in addresses {
            do { return try connect(address) } catch { last = error }
        }
        throw last
    }

    private static func connect(_ address: Data) throws -> Int32 {
        guard address.count >= MemoryLayout<sockaddr_in>.size, address.count <= MemoryLayout<sockaddr_storage>.size
        else {
            throw POSIXError(.EINVAL)
        }
        var storage = sockaddr_storage()
        _ = withUnsafeMutableBytes(of: &storage) { address.copyBytes(to: $0) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(storage.ss_family), kind, 0)
        guard descriptor >= 0 else { throw lastError }
        let result = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemConnect(descriptor, $0, socklen_t(address.count))
            }
        }
        do {
            if result != 0 {
                guard errno == EINPROGRESS else { throw lastError }
                try finish(descriptor)
            }
            guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0 else { throw lastError }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func finish(_ descriptor: Int32) throws {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, timeout) > 0 else { throw POSIXError(.ETIMEDOUT) }
        var (code, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { throw lastError }
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// A function outside the type, in which `connect` means the methods and not the C function.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
