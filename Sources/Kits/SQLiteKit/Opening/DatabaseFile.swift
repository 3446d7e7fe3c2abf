#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The path of a database, checked before SQLite opens it.
///
/// Uses only `stat` and never `open`: closing another descriptor of the file would release all POSIX locks of this
/// process on it, including those of open connections.
package struct DatabaseFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The size of the shortest file that SQLite can read: the header of 100 bytes.
    static let headerLength = 100

    /// Why the path cannot be opened; nil if it can be. Symbolic links are followed.
    package func refusal(mayBeMissing: Bool) -> FileRefusal? {
        guard !path.utf8.contains(0) else { return .nulInPath }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == EACCES { return .forbidden }
            guard errno == ENOENT else { return .unreachable }
            return mayBeMissing ? nil : .missing
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return .directory
        case S_IFIFO: return .pipe
        case S_IFSOCK: return .socket
        default: return .device
        }
        guard status.st_size > 0 else { return .empty }
        // Checks the permissions of the effective user, as `open` does.
        if faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0, errno == EACCES { return .forbidden }
        return status.st_size < Self.headerLength ? .tooShort : nil
    }

    /// The path as an SQLite URI. All characters except unreserved ones are percent-encoded, so that no part of the
    /// path is parsed as a parameter, fragment or authority.
    package func uri(isImmutable: Bool, keepsLogIndex: Bool = false) -> String {
        var uri = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:"
        for byte in path.utf8 {
            if Self.isUnreserved(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                uri += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        if isImmutable { return uri + "?immutable=1" }
        return keepsLogIndex ? uri + "?readonly_shm=1" : uri
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
