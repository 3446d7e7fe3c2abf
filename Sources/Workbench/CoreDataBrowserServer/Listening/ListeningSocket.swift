import CoreDataBrowser

/// A socket that listens on the loopback address, on a wanted port or the next free one.
struct ListeningSocket {
    private static let attempts = 20

    let descriptor: Int32
    let port: Int

    /// - Parameter port: 0 for any.
    /// - Throws: `BrowserFailure` if neither the port nor one of the following ones is free.
    init(port wanted: Int) throws {
        guard (0...65535).contains(wanted) else {
            throw BrowserFailure(
                500, code: "noPort", reason: "\(wanted) is not the number of a port",
                hint: "ports are 1 to 65535; 0 takes any")
        }
        let last = wanted == 0 ? 0 : min(wanted + Self.attempts - 1, 65535)
        var code: Int32 = 0
        for port in wanted...last {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                code = errno
                break
            }
            if let bound = Self.listen(descriptor, UInt16(port)) {
                self.descriptor = descriptor
                self.port = bound
                return
            }
            code = errno
            close(descriptor)
            guard code == EADDRINUSE else { break }
        }
        throw BrowserFailure(
            500, code: "noPort",
            reason: "127.0.0.1 cannot be listened on at port \(wanted): \(String(cString: strerror(code)))",
            hint: "choose another port; 0 takes any")
    }

    /// Binds the socket and listens; returns the bound port, or nil with `errno` if that fails.
    private static func listen(_ descriptor: Int32, _ port: UInt16) -> Int? {
        var on: Int32 = 1
        // A port with connections in the state TIME_WAIT counts as free.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                guard bind(descriptor, plain, length) == 0, Foundation.listen(descriptor, 511) == 0,
                    getsockname(descriptor, plain, &length) == 0
                else { return nil }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
    }
}
