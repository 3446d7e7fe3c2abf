import Foundation
import LockKit

/// Thumbnails in files of a folder, by the content of their pictures, and which pictures could not be read.
///
/// Several processes may use a folder: a file is written beside its place and renamed. When all files together exceed the limit, those
/// that were not used for longest are removed, whichever process made them. Only the owner may read the files. A cache that cannot be
/// written is no error: thumbnails are then made each time.
public final class ThumbnailCache: Sendable {
    /// The folder of the files.
    public let folder: URL
    /// The most bytes of all files together.
    public let byteLimit: Int
    /// The bytes as far as this process knows; nil until they were counted.
    private let known = Locked<Int?>(nil)

    /// A failure that may have had to do with the machine is tried again after a day.
    private static let failureDays = 1.0
    /// What is left after files were removed, so that not every new file removes another one.
    private static let lowWater = 0.8
    private static let newPrefix = ".new-"

    /// Uses a folder, which is made when it is first needed.
    ///
    /// - Parameters:
    ///   - folder: The folder; nil for `CoreData/Thumbnails` in the user's caches directory.
    ///   - byteLimit: The most bytes of all files together.
    public init(folder: URL? = nil, byteLimit: Int = 512 << 20) {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        self.folder =
            folder
            ?? (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("CoreData/Thumbnails")
        self.byteLimit = byteLimit
    }

    // MARK: Thumbnails

    /// The thumbnail of a picture; nil if there is none.
    public func thumbnail(_ digest: ContentDigest, _ options: ThumbnailOptions) -> Data? {
        let file = place(digest, options.name)
        guard let data = try? Data(contentsOf: file), !data.isEmpty else { return nil }
        // The order of removal is that of the times.
        utimensat(AT_FDCWD, file.path, nil, 0)
        return data
    }

    /// Keeps a thumbnail.
    func keep(_ data: Data, _ digest: ContentDigest, _ options: ThumbnailOptions) {
        write(data, to: place(digest, options.name))
    }

    // MARK: Failures

    private struct Failure: Codable {
        var code: String
        var reason: String
        var hint: String
    }

    /// Why a picture could not be read the last time; nil if it was not tried, or should be tried again.
    public func failure(_ digest: ContentDigest) -> PictureFileError? {
        let file = place(digest, "failed")
        guard let data = try? Data(contentsOf: file), let kept = try? JSONDecoder().decode(Failure.self, from: data),
            let code = PictureFileError.Code(rawValue: kept.code)
        else { return nil }
        if code == .programFailed, let age = Self.state(of: file)?.time.timeIntervalSinceNow,
            age < -Self.failureDays * 86_400
        {
            return nil
        }
        return PictureFileError(code, kept.reason, hint: kept.hint)
    }

    /// Remembers that a picture cannot be read.
    func keep(_ error: PictureFileError, _ digest: ContentDigest) {
        guard !error.mayPass else { return }
        let failure = Failure(code: error.code.rawValue, reason: error.reason, hint: error.hint)
        guard let data = try? JSONEncoder().encode(failure) else { return }
        write(data, to: place(digest, "failed"))
    }

    // MARK: Files

    /// Removes all files.
    public func removeAll() {
        for file in files() { unlink(file.path) }
        known.withLock { $0 = 0 }
    }

    /// The bytes of all files together, counted.
    public var byteCount: Int { files().reduce(0) { $0 + $1.size } }

    private func place(_ digest: ContentDigest, _ name: String) -> URL {
        folder.appendingPathComponent(String(digest.text.prefix(2))).appendingPathComponent("\(digest.text)-\(name)")
    }

    private func write(_ data: Data, to file: URL) {
        guard data.count <= byteLimit else { return }
        let parent = file.deletingLastPathComponent()
        let made: Void? = try? FileManager.default.createDirectory(
            at: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard made != nil else { return }
        let new = parent.appendingPathComponent(Self.newPrefix + UUID().uuidString).path
        let isWritten = FileManager.default.createFile(
            atPath: new, contents: data, attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(new, file.path) == 0 else {
            unlink(new)
            return
        }
        let total = known.withLock { known in
            known = known.map { $0 + data.count }
            return known
        }
        if total.map({ $0 > byteLimit }) ?? true { shrink() }
    }

    /// Counts the files, and removes the oldest if there are too many.
    private func shrink() {
        var files = files()
        var total = files.reduce(0) { $0 + $1.size }
        if total > byteLimit {
            files.sort { $0.time < $1.time }
            let goal = Int(Double(byteLimit) * Self.lowWater)
            for file in files {
                guard total > goal else { break }
                unlink(file.path)
                total -= file.size
            }
        }
        known.withLock { $0 = total }
    }

    private struct FileState {
        var path: String
        var size: Int
        var time: Date
    }

    private static func state(of file: URL) -> FileState? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: file.path),
            let time = found[.modificationDate] as? Date, let size = found[.size] as? NSNumber
        else { return nil }
        return FileState(path: file.path, size: size.intValue, time: time)
    }

    /// The files of this cache; what a process left unfinished for an hour is removed.
    private func files() -> [FileState] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return folders.filter { $0.utf8.count == 2 }.flatMap { name -> [FileState] in
            let inner = folder.appendingPathComponent(name)
            return ((try? FileManager.default.contentsOfDirectory(atPath: inner.path)) ?? []).compactMap { name in
                guard let state = Self.state(of: inner.appendingPathComponent(name)) else { return nil }
                guard name.hasPrefix(Self.newPrefix) else { return state }
                if state.time.timeIntervalSinceNow < -3_600 { unlink(state.path) }
                return nil
            }
        }
    }
}
