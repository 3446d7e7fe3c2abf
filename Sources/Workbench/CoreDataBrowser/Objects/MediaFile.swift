import CoreData

/// The file of an item of a media library, opened.
///
/// A row alone opens no file: number, size and time of the file must be those that a scan has put into the row, so that a store that someone
/// has made shows no file of another place, and a file that was replaced is not taken for the old one. What is read is the file
/// that was opened, whatever happens to its name.
final class MediaFile: Sendable {
    /// The number of bytes.
    let count: Int
    /// The media type by the first bytes.
    let type: String
    private let descriptor: Int32

    /// Opens the file of an object.
    ///
    /// - Throws: `InspectionError` of code `noObject`; `BrowserFailure` for an object that is no item, or one whose file is not there.
    init(_ reading: StoreReading, name: String) throws {
        guard reading.opened.hidden == nil, let path = Self.path(try reading.object(name)) else {
            throw BrowserFailure(404, code: "noFile", reason: "\(name) is no item of a media library")
        }
        let object = try reading.object(name)
        descriptor = path.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) } ?? -1
            }
        }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Self.stamp(status) == Self.keys.map({ (object.value(forKey: $0) as? NSNumber)?.int64Value ?? -1 }),
            let start = Self.read(descriptor, 0..<min(MediaKind.length, Int(status.st_size))),
            let found = MediaKind.type(of: Data(start))
        else {
            if descriptor >= 0 { close(descriptor) }
            throw BrowserFailure(
                404, code: "noFile", reason: "The file of \(name) is not there, or not as it was when it was scanned",
                hint: "scan its folder again by 'coredata library scan FOLDER'")
        }
        (count, type) = (Int(status.st_size), found)
    }

    deinit { close(descriptor) }

    /// A part of the bytes.
    ///
    /// - Throws: `BrowserFailure` if the file has been cut off since it was opened.
    func part(_ range: Range<Int>) throws -> [UInt8] {
        guard let bytes = Self.read(descriptor, range) else {
            throw BrowserFailure(410, code: "noFile", reason: "The file was changed while it was read")
        }
        return bytes
    }

    private static let keys = ["fileNumber", "fileSize", "fileTime"]

    private static func stamp(_ status: stat) -> [Int64] {
        let time = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        return [Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size), time]
    }

    /// The absolute path of an item's file, with the byte that ends it; nil for objects of other models.
    private static func path(_ item: NSManagedObject) -> [UInt8]? {
        let wanted = Set(keys + ["path", "pathBytes"])
        guard item.entity.name == "MediaItem", wanted.isSubset(of: item.entity.attributesByName.keys),
            item.entity.relationshipsByName["folder"] != nil,
            let folder = item.value(forKey: "folder") as? NSManagedObject,
            Set(["path", "pathBytes"]).isSubset(of: folder.entity.attributesByName.keys), let home = bytes(folder),
            let path = bytes(item), !(home + path).contains(0)
        else { return nil }
        return home + [UInt8(ascii: "/")] + path + [0]
    }

    private static func bytes(_ object: NSManagedObject) -> [UInt8]? {
        if let bytes = object.value(forKey: "pathBytes") as? Data { return [UInt8](bytes) }
        return (object.value(forKey: "path") as? String).map { Array($0.utf8) }
    }

    /// All bytes of a range; nil if they are not there.
    private static func read(_ descriptor: Int32, _ range: Range<Int>) -> [UInt8]? {
        guard !range.isEmpty else { return [] }
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < range.count {
            let got = bytes[filled...].withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress, buffer.count, off_t(range.lowerBound + filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }
}
