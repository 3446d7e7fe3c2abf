import CoreDataModeling

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// Functions for Unix domain sockets, which are represented by their descriptors.
package enum LocalSocket {
    /// A new socket; nil if the system cannot create it.
    package static func make() -> Int32? {
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Runs a block with the socket address of a path; returns nil if the path is too long.
    package static func withAddress<Result>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { place in place.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Whether the process at the other end belongs to this user.
    package static func isOfThisUser(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            var user = uid_t.max
            var group = gid_t.max
            return getpeereid(descriptor, &user, &group) == 0 && user == geteuid()
        #else
            // The fields `pid`, `uid` and `gid` of `struct ucred`.
            var credentials: (Int32, UInt32, UInt32) = (0, .max, .max)
            var size = socklen_t(MemoryLayout<(Int32, UInt32, UInt32)>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
            return credentials.1 == geteuid()
        #endif
    }

    /// Connects to the socket at a path; returns nil if no process listens there.
    package static func connected(to path: String) -> Int32? {
        guard let descriptor = make() else { return nil }
        #if canImport(Darwin)
            let code = withAddress(of: path) { Darwin.connect(descriptor, $0, $1) }
        #elseif canImport(Musl)
            let code = withAddress(of: path) { Musl.connect(descriptor, $0, $1) }
        #elseif canImport(Android)
            let code = withAddress(of: path) { Android.connect(descriptor, $0, $1) }
        #else
            let code = withAddress(of: path) { Glibc.connect(descriptor, $0, $1) }
        #endif
        guard code == 0 else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
    }
}
