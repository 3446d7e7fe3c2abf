import CoreDataFoundation

/// Puts a file or a folder in the place of another one so that, whenever the process or the machine stops, one of both
/// is there whole.
///
/// The new item is written beside the old one under a hidden name, reaches the disk, and then takes the place in one
/// step: `rename` for files, and for folders an exchange of both names (`renameat2`), after which the old one is
/// removed. Where a file system has no exchange, the old folder is moved aside first, and `restore` puts it back if the
/// process stops between the two steps.
enum SafeFile {
    private static let (newMark, oldMark) = (".saving-", ".replaced-")

    /// Seconds after which a hidden file that is not written is left over.
    private static let leftoverAge = 600.0

    /// The hidden name beside an item, under which its next state is written.
    static func temporary(for url: URL) -> URL { hidden(url, newMark + UUID().uuidString) }

    private static func hidden(_ url: URL, _ suffix: String) -> URL {
        // A name has room for 255 bytes.
        let name = String(decoding: url.lastPathComponent.utf8.prefix(150), as: UTF8.self)
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)\(suffix)")
    }

    /// Writes a file where none is, and waits until the disk has it.
    static func writeNew(_ data: Data, to url: URL) throws {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw error(url) }
        defer { close(descriptor) }
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count >= 0 || errno == EINTR else { throw error(url) }
                rest = rest.dropFirst(max(0, count))
            }
        }
        guard fsync(descriptor) == 0 else { throw error(url) }
    }

    static func synchronizeFolder(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(url) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw error(url) }
    }

    /// Puts an item that was written to a temporary name in its place.
    static func replace(_ url: URL, with temporary: URL) throws {
        let folder = url.deletingLastPathComponent()
        if isFolder(temporary) || isFolder(url) {
            try replaceFolder(url, with: temporary)
        } else {
            guard rename(temporary.path, url.path) == 0 else { throw error(url) }
        }
        try synchronizeFolder(folder)
    }

    private static func replaceFolder(_ url: URL, with temporary: URL) throws {
        if FileManager.default.fileExists(atPath: url.path) {
            if exchange(temporary.path, url.path) {
                try synchronizeFolder(url.deletingLastPathComponent())
                try? FileManager.default.removeItem(at: temporary)
                return
            }
            let aside = hidden(url, oldMark + "folder")
            try? FileManager.default.removeItem(at: aside)
            guard rename(url.path, aside.path) == 0 else { throw error(url) }
            guard rename(temporary.path, url.path) == 0 else {
                let failure = error(url)
                _ = rename(aside.path, url.path)
                throw failure
            }
            try? FileManager.default.removeItem(at: aside)
        } else {
            guard rename(temporary.path, url.path) == 0 else { throw error(url) }
        }
    }

    private typealias Exchange =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    /// Of the C library of Linux, which Swift does not import; nil elsewhere.
    private static let renameat2: Exchange? = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Exchange.self) }

    /// Exchanges two names in one step; false if the system cannot.
    private static func exchange(_ one: String, _ other: String) -> Bool {
        // 2 is RENAME_EXCHANGE.
        renameat2?(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
    }

    /// Cleans up after a process that stopped while it saved: puts back a folder that was moved aside, and removes what
    /// was half written.
    ///
    /// To be called before the item is opened.
    static func restore(_ url: URL) {
        let aside = hidden(url, oldMark + "folder")
        if !FileManager.default.fileExists(atPath: url.path) { _ = rename(aside.path, url.path) }
        try? FileManager.default.removeItem(at: aside)
        let folder = url.deletingLastPathComponent()
        let beginning = hidden(url, newMark).lastPathComponent
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(beginning) {
            let path = folder.appendingPathComponent(name).path
            let changed = (try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? nil
            // Another process may be saving.
            guard let changed, -changed.timeIntervalSinceNow > leftoverAge else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func error(_ url: URL) -> CocoaError {
        let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        let code: CocoaError.Code =
            switch cause.code {
            case .ENOSPC, .EDQUOT: .fileWriteOutOfSpace
            case .EACCES, .EPERM: .fileWriteNoPermission
            case .EROFS: .fileWriteVolumeReadOnly
            case .EEXIST: .fileWriteFileExists
            case .ENOENT: .fileNoSuchFile
            default: .fileWriteUnknown
            }
        return CocoaError(code, userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: cause])
    }
}
