import Foundation

/// An open file or folder, which is closed with the object.
final class Descriptor: Sendable {
    let number: Int32

    private init(_ number: Int32) { self.number = number }

    /// nil for the number of a call that failed, whose `errno` stays.
    static func opened(_ number: Int32) -> Descriptor? { number >= 0 ? Descriptor(number) : nil }

    deinit { close(number) }

    /// Refuses what is of another kind or owner, or has one of some permissions.
    ///
    /// - Throws: ``AccountError`` with `insecureFile`, which says what to do, or `unreadableStore`.
    func checkIsPrivate(_ path: String, maskedBy mask: mode_t, kind: mode_t = S_IFREG, isOwn: Bool = true) throws {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw PrivateFolder.unreadable(path, errno) }
        guard status.st_mode & S_IFMT == kind else {
            throw AccountError(.insecureFile, "\(path) is not a \(kind == S_IFDIR ? "folder" : "file")")
        }
        guard !isOwn || status.st_uid == geteuid() else {
            throw AccountError(
                .insecureFile, "\(path) belongs to the user \(status.st_uid), not to \(geteuid()) who runs the program")
        }
        guard status.st_mode & mask == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw AccountError(
                .insecureFile,
                "others may read or change \(path), whose mode is \(mode); revoke the tokens if others may have read it, "
                    + "then run: chmod go-rwx '\(path)'")
        }
    }

    func readAll(_ path: String, limit: Int) throws -> Data {
        var data = Data()
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(number, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PrivateFolder.unreadable(path, errno) }
            guard count > 0 else { return data }
            data.append(contentsOf: part[..<count])
            guard data.count <= limit else {
                throw AccountError(.unreadableStore, "\(path) has more than the \(limit) bytes that are read")
            }
        }
    }

    func writeAll(_ data: Data, _ path: String) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PrivateFolder.unwritable(path, errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// The system's call, for types that have a method of its name.
func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
