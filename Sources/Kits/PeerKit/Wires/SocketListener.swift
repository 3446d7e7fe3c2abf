import Foundation
import LockKit

/// A socket that listens on all addresses of this machine.
final class SocketListener: WireListener {
    let port: UInt16
    private let descriptor: Int32
    private let loop: EventLoop
    private let settings: @Sendable () -> WireSettings
    private let accept: @Sendable (any Wire) -> Void
    private let registration = Locked<EventLoop.Registration?>(nil)
    /// Seconds for which no connection is accepted when the process has too many files open.
    private static let rest = 0.1

    /// - Throws: `PeerFailure` with `system` if the port is taken.
    init(
        port: UInt16, loop: EventLoop, settings: @escaping @Sendable () -> WireSettings,
        accept: @escaping @Sendable (any Wire) -> Void
    ) throws {
        (self.loop, self.settings, self.accept) = (loop, settings, accept)
        guard let bound = Self.bind(AF_INET6, port) ?? Self.bind(AF_INET, port) else {
            throw PeerFailure.system(
                "port \(port) cannot be listened on", hint: "choose another port; 0 takes any that is free")
        }
        (descriptor, self.port) = bound
        SocketOptions.apply(descriptor)
        registration.withLock { $0 = watch() }
    }

    deinit { close() }

    func close() {
        let wasOpen = registration.withLock { registration in
            defer { registration = nil }
            if let registration { loop.remove(registration) }
            return registration != nil
        }
        if wasOpen { systemClose(descriptor) }
    }

    private func watch() -> EventLoop.Registration? {
        loop.add(descriptor, .readable) { [weak self] _ in self?.acceptAll() }
    }

    private func acceptAll() {
        for _ in 0..<64 {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let (accepted, host) = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                    let accepted = systemAccept(descriptor, plain, &length)
                    return (accepted, accepted >= 0 ? SocketAddresses.host(of: plain, length) : "")
                }
            }
            guard accepted >= 0 else {
                if errno == EMFILE || errno == ENFILE { restAWhile() }
                return
            }
            accept(SocketWire(accepted: accepted, from: host, loop: loop, settings: settings()))
        }
    }

    /// A waiting connection that cannot be accepted would wake the loop without end.
    private func restAWhile() {
        registration.withLock { if let number = $0 { loop.modify(number, []) } }
        loop.perform(after: Self.rest) { [weak self] in
            self?.registration.withLock { if let number = $0 { self?.loop.modify(number, .readable) } }
        }
    }

    /// A socket that listens on a port, of IPv4 too if it is one of IPv6; nil with `errno` if that fails.
    private static func bind(_ family: Int32, _ port: UInt16) -> (Int32, UInt16)? {
        guard
            let addresses = try? SocketAddresses(
                host: family == AF_INET6 ? "::" : "0.0.0.0", port: port, numeric: true),
            let address = addresses.all.first
        else { return nil }
        let made = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard made >= 0 else { return nil }
        SocketOptions.set(made, SOL_SOCKET, SO_REUSEADDR, 1)
        if family == AF_INET6 { SocketOptions.set(made, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        let isBound = address.withUnsafeBytes { bytes in
            guard let plain = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return systemBind(made, plain, socklen_t(bytes.count)) == 0 && systemListen(made, 511) == 0
        }
        var name = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
        var length = socklen_t(name.count)
        let isNamed = name.withUnsafeMutableBytes { bytes in
            guard let plain = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return getsockname(made, plain, &length) == 0
        }
        guard isBound, isNamed else {
            let code = errno
            systemClose(made)
            errno = code
            return nil
        }
        // The port stands in the same place in both kinds of addresses.
        return (made, UInt16(name[2]) << 8 | UInt16(name[3]))
    }
}

// Functions outside the type, whose methods have the same names.
private func systemAccept(_ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t)
    -> Int32
{
    accept(socket, address, &length)
}
private func systemBind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    bind(socket, address, length)
}
private func systemListen(_ socket: Int32, _ waiting: Int32) -> Int32 { listen(socket, waiting) }
