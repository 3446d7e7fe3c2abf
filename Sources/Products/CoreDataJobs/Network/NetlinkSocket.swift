import Foundation

/// A socket to the kernel's routing tables (`AF_NETLINK`, `NETLINK_ROUTE`): one that listens for changes, or one for requests.
final class NetlinkSocket: Sendable {
    /// Groups of `linux/rtnetlink.h`: links, and addresses and routes of IPv4 and IPv6.
    private static let changes: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    private static let family: UInt16 = 16
    /// A datagram of the kernel has at most 32 KiB, since Linux 4.4 also where a page is larger.
    private static let datagramSize = 1 << 16

    let descriptor: Int32

    /// Opens a socket that nothing blocks.
    ///
    /// - Throws: ``JobError`` of code `noNetworkState`.
    init(listening: Bool) throws {
        #if os(Linux)
            let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(Int32(Self.family), type, 0)
            guard descriptor >= 0 else { throw Self.failure("opened") }
            // `struct sockaddr_nl`: family and padding, two bytes each, port and groups, four each.
            var address: (UInt16, UInt16, UInt32, UInt32) = (Self.family, 0, 0, listening ? Self.changes : 0)
            let size = socklen_t(MemoryLayout.size(ofValue: address))
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            guard bound == 0 else {
                let number = errno
                close(descriptor)
                throw Self.failure("bound", number)
            }
            self.descriptor = descriptor
        #else
            throw JobError(.noNetworkState, "the state of the network is read on Linux only")
        #endif
    }

    deinit { close(descriptor) }

    private static func failure(_ attempt: String, _ number: Int32 = errno) -> JobError {
        JobError(
            .noNetworkState,
            "the kernel's routing socket cannot be \(attempt): \(String(cString: strerror(number))); "
                + "a sandbox may have to allow AF_NETLINK")
    }

    /// Reads and forgets what has come.
    ///
    /// - Returns: Whether a change of links, addresses or routes was there; also if changes were lost because too many came, or cannot
    ///   be read.
    func drainChanges() -> Bool {
        var hasChanged = false
        while true {
            switch receive() {
            case .nothing: return hasChanged
            case .lost: return true
            case .bytes(let bytes):
                guard let messages = try? NetlinkMessage.all(in: bytes) else {
                    hasChanged = true
                    continue
                }
                if messages.contains(where: { (16...25).contains($0.kind) }) { hasChanged = true }
            }
        }
    }

    /// Asks for all links and all routes.
    ///
    /// - Throws: ``JobError`` of code `noNetworkState`.
    func table() throws -> NetworkTable {
        for _ in 0..<5 {
            var table = NetworkTable()
            if try dump(NetlinkMessage.Kind.getLink, 1, into: &table),
                try dump(NetlinkMessage.Kind.getRoute, 2, into: &table)
            {
                return table
            }
        }
        throw JobError(.noNetworkState, "the links and routes change faster than they can be read")
    }

    /// Asks for all entries of a kind; false if they changed during the answer, or were lost.
    private func dump(_ kind: UInt16, _ sequence: UInt32, into table: inout NetworkTable) throws -> Bool {
        while case .bytes = receive() {}
        // `struct nlmsghdr`, with flags for a request of all (`NLM_F_REQUEST | NLM_F_DUMP`), and a general payload of the size of
        // `struct ifinfomsg`, zero for all families.
        var request: [UInt8] = []
        withUnsafeBytes(of: UInt32(32)) { request += $0 }
        withUnsafeBytes(of: kind) { request += $0 }
        withUnsafeBytes(of: UInt16(0x301)) { request += $0 }
        withUnsafeBytes(of: sequence) { request += $0 }
        request += [UInt8](repeating: 0, count: 20)
        guard send(descriptor, request, request.count, 0) == request.count else { throw Self.failure("asked") }
        while true {
            switch try receive(within: 2_000) {
            case .nothing: throw JobError(.noNetworkState, "the kernel's routing socket has not answered for 2 seconds")
            case .lost: return false
            case .bytes(let bytes):
                let messages: [NetlinkMessage]
                do {
                    messages = try NetlinkMessage.all(in: bytes)
                } catch {
                    throw JobError(
                        .noNetworkState, "an answer of the routing socket is malformed at byte \(error.offset)")
                }
                for message in messages where message.sequence == sequence {
                    // `NLM_F_DUMP_INTR`: the tables have changed while they were read.
                    if message.flags & 0x10 != 0 { return false }
                    switch message.kind {
                    case NetlinkMessage.Kind.done: return true
                    case NetlinkMessage.Kind.error:
                        let number = message.payload.number(Int32.self, at: 0) ?? 0
                        throw Self.failure("asked", number == .min ? EINVAL : -number)
                    default: table.take(message)
                    }
                }
            }
        }
    }

    private enum Received {
        case bytes([UInt8])
        /// Nothing is there now.
        case nothing
        /// More came than the kernel keeps, or it cannot be read.
        case lost
    }

    private func receive(within milliseconds: Int32) throws -> Received {
        let first = receive()
        guard case .nothing = first else { return first }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, milliseconds) < 0 { guard errno == EINTR else { throw Self.failure("read") } }
        return receive()
    }

    private func receive() -> Received {
        while true {
            var (count, number): (Int, Int32) = (0, 0)
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.datagramSize) { buffer, filled in
                count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_TRUNC))
                number = errno
                filled = max(0, min(count, buffer.count))
            }
            if count < 0, number == EINTR { continue }
            if count < 0 { return number == EAGAIN || number == EWOULDBLOCK ? .nothing : .lost }
            guard count <= Self.datagramSize else { return .lost }
            return .bytes(bytes)
        }
    }
}
