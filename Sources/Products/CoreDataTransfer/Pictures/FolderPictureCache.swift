import Foundation
import LockKit

/// Pictures in files of a folder, which stay when the process ends; those that were not used for longest go first.
///
/// A file is one picture, with its URL, and is replaced as a whole; a damaged one counts as missing. Only the owner may read
/// them, since what is shown to an account may not be for others. Several processes may use the folder: each keeps to the limit
/// by what it knows.
public final class FolderPictureCache: PictureCache {
    /// What stands before the bytes of a picture in its file.
    private struct Header: Codable {
        var url: String
        var size: Int
        var entityTag: String?
        var lastModified: String?
        var freshUntil: Date
    }

    private static let (magic, suffix, newPrefix) = (Data("OCDPIC1\n".utf8), ".picture", ".new-")
    private static let greatestHeader = 65_536

    /// The most bytes of all files together; a picture that needs more is not kept.
    public let byteLimit: Int
    private let folder: URL
    /// The files by their names, in the order of their use.
    private let order: Locked<LeastRecentlyUsed<String>>

    /// Opens a folder, which is made if it is missing.
    ///
    /// - Throws: an error of Foundation if the folder can be neither made nor read.
    public init(folder: URL, byteLimit: Int = 256 << 20) throws {
        (self.folder, self.byteLimit) = (folder, byteLimit)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var known = LeastRecentlyUsed<String>()
        var found: [(name: String, size: Int, time: Date)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let path = folder.appendingPathComponent(name).path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let time = attributes[.modificationDate] as? Date, let size = attributes[.size] as? NSNumber
            else { continue }
            if name.hasSuffix(Self.suffix) { found.append((name, size.intValue, time)) }
            // What a process that ended left behind.
            if name.hasPrefix(Self.newPrefix), time.timeIntervalSinceNow < -3_600 { unlink(path) }
        }
        for file in found.sorted(by: { $0.time < $1.time }) { known.insert(file.name, size: file.size) }
        for name in known.shrink(to: byteLimit) { unlink(folder.appendingPathComponent(name).path) }
        order = Locked(known)
    }

    /// The bytes of all files together, as far as this process knows.
    public var byteCount: Int { order.withLock { $0.totalSize } }

    public func picture(for url: URL) -> CachedPicture? {
        let name = Self.name(url)
        let path = folder.appendingPathComponent(name).path
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)), let picture = Self.picture(data, url) else {
            order.withLock { $0.remove(name) }
            return nil
        }
        order.withLock { order in
            if !order.use(name) { order.insert(name, size: data.count) }
        }
        // The order is that of the times when another process opens the folder.
        utimensat(AT_FDCWD, path, nil, 0)
        return picture
    }

    public func store(_ picture: CachedPicture, for url: URL) {
        let name = Self.name(url)
        guard let data = Self.file(picture, url), data.count <= byteLimit else { return remove(for: url) }
        let new = folder.appendingPathComponent(Self.newPrefix + UUID().uuidString).path
        let path = folder.appendingPathComponent(name).path
        let isWritten = FileManager.default.createFile(
            atPath: new, contents: data, attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(new, path) == 0 else {
            unlink(new)
            return
        }
        let removed = order.withLock { order in
            order.insert(name, size: data.count)
            return order.shrink(to: byteLimit)
        }
        for name in removed { unlink(folder.appendingPathComponent(name).path) }
    }

    public func remove(for url: URL) {
        let name = Self.name(url)
        order.withLock { $0.remove(name) }
        unlink(folder.appendingPathComponent(name).path)
    }

    // MARK: Files

    /// Two digests of FNV-1a: where they are equal for two URLs, one replaces the other, since the file names its URL.
    static func name(_ url: URL) -> String {
        let digests = [0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142 as UInt64].map { start in
            url.absoluteString.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return digests.map { digest in
            let text = String(digest, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined() + suffix
    }

    /// The magic bytes, the length of the header in 4 bytes, the header as a property list, the picture.
    static func file(_ picture: CachedPicture, _ url: URL) -> Data? {
        let header = Header(
            url: url.absoluteString, size: picture.data.count, entityTag: picture.entityTag,
            lastModified: picture.lastModified, freshUntil: picture.freshUntil)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let text = try? encoder.encode(header), text.count <= greatestHeader else { return nil }
        let length = withUnsafeBytes(of: UInt32(text.count).bigEndian) { Data($0) }
        return magic + length + text + picture.data
    }

    /// The picture in a file; nil if it is not that of the URL, or not whole.
    private static func picture(_ data: Data, _ url: URL) -> CachedPicture? {
        guard data.starts(with: magic), let length = PictureBytes(data).big4(magic.count), length <= greatestHeader
        else { return nil }
        let rest = data.dropFirst(magic.count + 4)
        guard
            let header = try? PropertyListDecoder().decode(Header.self, from: Data(rest.prefix(length))),
            header.url == url.absoluteString, header.size == rest.count - length
        else { return nil }
        return CachedPicture(
            data: Data(rest.dropFirst(length)), entityTag: header.entityTag, lastModified: header.lastModified,
            freshUntil: header.freshUntil)
    }
}
