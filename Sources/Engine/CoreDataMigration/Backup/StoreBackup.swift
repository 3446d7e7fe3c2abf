import CoreDataGraph

/// A copy of a store beside it, made before the store is changed: `Name-backup-20240229-120000.sqlite`.
///
/// The copy is a complete store: its file includes the contents of the write-ahead log, and its large values are in a
/// folder named after it. The suffix contains no dots, since the folder's name comes from the part of the file's name
/// before the last dot.
package enum StoreBackup {
    /// Makes a backup of a store that is not open, and returns the backup's URL.
    ///
    /// - Throws: `NSMigrationError` if the store is open elsewhere or its type cannot be copied, and other errors of
    ///   `NSCocoaErrorDomain`; no files remain then.
    package static func make(
        of url: URL, storeClass: any StoreClass.Type, at time: Date = Date()
    ) throws -> URL {
        guard let administration = storeClass.administration else {
            throw CoreDataError.make(
                NSMigrationError, "The store '\(url.path)' cannot be backed up: its kind cannot be copied.",
                hint: "Copy its files while nobody has it open.", userInfo: [NSFilePathErrorKey: url.path])
        }
        let backup = freePlace(beside: url, at: time)
        let temporary = TemporaryStore(ofBackup: backup, of: url, storeClass: storeClass)
        do {
            try administration.copyStore(at: url, to: temporary.url)
            try temporary.publish()
        } catch {
            temporary.discard()
            throw error
        }
        return backup
    }

    /// Removes a backup with all of its files.
    package static func remove(_ backup: URL, storeClass: any StoreClass.Type) {
        storeClass.administration?.discardStore(at: backup)
    }

    /// The URL of the copy with a name beside a store; nil if the name is not that of a copy of this store.
    ///
    /// The check is needed because the name comes from the store's metadata, and the caller removes the named file.
    static func place(named name: String, of url: URL) -> URL? {
        let stem = "\(url.deletingPathExtension().lastPathComponent)-backup-"
        let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        guard name.hasPrefix(stem), name.hasSuffix(suffix), name.count > stem.count + suffix.count else { return nil }
        let stamp = name.dropFirst(stem.count).dropLast(suffix.count)
        let isStamp = stamp.count >= 15 && stamp.allSatisfy { $0 == "-" || $0.isASCII && $0.isNumber }
        return isStamp ? url.deletingLastPathComponent().appendingPathComponent(name) : nil
    }

    /// A URL for a backup beside a store, at which no file exists.
    private static func freePlace(beside url: URL, at time: Date) -> URL {
        let folder = url.deletingLastPathComponent()
        let name = url.deletingPathExtension().lastPathComponent
        let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        let stem = "\(name)-backup-\(stamp(time))"
        var number = 1
        while true {
            let place = folder.appendingPathComponent(stem + (number == 1 ? "" : "-\(number)") + suffix)
            if !FileManager.default.fileExists(atPath: place.path) { return place }
            number += 1
        }
    }

    /// The time as `yyyyMMdd-HHmmss` in UTC.
    private static func stamp(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)" + padded(parts.tm_mon + 1) + padded(parts.tm_mday)
        return date + "-" + padded(parts.tm_hour) + padded(parts.tm_min) + padded(parts.tm_sec)
    }
}
