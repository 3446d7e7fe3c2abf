import Foundation

/// A folder that is open for reading its names and asking for the status of each, without a search for its path.
final class OpenFolder {
    struct Entry {
        let name: BytePath
        /// Whether it is certainly a regular file: neither a link nor a folder, and no file system that does not say.
        let isFile: Bool
    }

    private let stream: OpaquePointer

    /// Nil if the folder cannot be read; `errno` says why.
    init?(_ path: BytePath) {
        guard let stream = path.withCString({ opendir($0) }) else { return nil }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The status of the folder itself.
    var status: stat? {
        var status = stat()
        return fstat(dirfd(stream), &status) == 0 ? status : nil
    }

    /// The status of what a name leads to, links followed; nil if there is nothing.
    func status(of name: BytePath) -> stat? {
        var status = stat()
        return name.withCString { fstatat(dirfd(stream), $0, &status, 0) } == 0 ? status : nil
    }

    /// All names but hidden ones, in no order.
    func entries() -> [Entry] {
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.first == UInt8(ascii: ".") ? [] : Array(name.prefix { $0 != 0 })
            }
            guard !bytes.isEmpty else { continue }
            entries.append(Entry(name: BytePath(bytes), isFile: Int(entry.pointee.d_type) == Int(DT_REG)))
        }
        return entries
    }
}
