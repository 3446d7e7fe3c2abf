import CoreDataModeling

/// The folder in which processes create their sockets: `$XDG_RUNTIME_DIR/opencoredata`, with `PID.sock` for each
/// process.
package enum InstrumentFolder {
    /// The folder; nil if `XDG_RUNTIME_DIR` is not set to an absolute path.
    package static var url: URL? {
        guard let value = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), value.hasPrefix("/") else {
            return nil
        }
        return URL(fileURLWithPath: value).appendingPathComponent("opencoredata")
    }

    package static func socket(of process: Int32, in folder: URL) -> URL {
        folder.appendingPathComponent("\(process).sock")
    }

    /// The numbers of the processes that have a socket; some of them may have ended.
    package static func processes(in folder: URL) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name in name.hasSuffix(".sock") ? Int32(name.dropLast(5)) : nil }.filter { $0 > 0 }
            .sorted()
    }

    /// Creates the folder, accessible to its owner only.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` if the folder belongs to another user, or if others may enter it.
    static func make(_ folder: URL) throws {
        if mkdir(folder.path, 0o700) != 0, errno != EEXIST { throw failure(folder, "it cannot be made") }
        var facts = stat()
        guard lstat(folder.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else {
            throw failure(folder, "it is no folder of this user")
        }
        guard facts.st_mode & 0o077 == 0 || chmod(folder.path, 0o700) == 0 else {
            throw failure(folder, "other users may enter it")
        }
    }

    static func failure(_ url: URL, _ reason: String) -> NSError {
        CoreDataError.make(
            CocoaError.Code.fileWriteUnknown.rawValue,
            "The process cannot be offered to instruments at '\(url.path)': \(reason).", reason: reason,
            hint: "See that XDG_RUNTIME_DIR is a folder of this user with room for a socket.",
            userInfo: [NSFilePathErrorKey: url.path])
    }
}
