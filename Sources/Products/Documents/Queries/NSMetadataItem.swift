import CoreDataFoundation

/// The name of the file, without the folder.
public let NSMetadataItemFSNameKey = "kMDItemFSName"
/// The name for people.
public let NSMetadataItemDisplayNameKey = "kMDItemDisplayName"
/// The `URL`.
public let NSMetadataItemURLKey = "kMDItemURL"
/// The path.
public let NSMetadataItemPathKey = "kMDItemPath"
/// The size in bytes.
public let NSMetadataItemFSSizeKey = "kMDItemFSSize"
/// When it was made.
public let NSMetadataItemFSCreationDateKey = "kMDItemFSCreationDate"
/// When it was last changed.
public let NSMetadataItemFSContentChangeDateKey = "kMDItemFSContentChangeDate"
/// Whether its bytes are here: one of the constants whose names begin with `NSMetadataUbiquitousItemDownloadingStatus`.
public let NSMetadataUbiquitousItemDownloadingStatusKey = "NSMetadataUbiquitousItemDownloadingStatusKey"
/// The file is listed, and its bytes are not here.
public let NSMetadataUbiquitousItemDownloadingStatusNotDownloaded =
    "NSMetadataUbiquitousItemDownloadingStatusNotDownloaded"
/// The bytes are here, and the latest that are known.
public let NSMetadataUbiquitousItemDownloadingStatusCurrent = "NSMetadataUbiquitousItemDownloadingStatusCurrent"
/// Whether versions of it are in conflict.
public let NSMetadataUbiquitousItemHasUnresolvedConflictsKey = "NSMetadataUbiquitousItemHasUnresolvedConflictsKey"

/// A file that a query found, with what is known of it.
public final class NSMetadataItem: NSObject, @unchecked Sendable {
    private let values: [String: Any]
    /// Differs between any two states of the file.
    let stamp: [Int]

    /// The attributes that the item has.
    public var attributes: [String] { values.keys.sorted() }

    /// The value of an attribute; nil if the item has none.
    public func value(forAttribute key: String) -> Any? { values[key] }

    /// The values of several attributes.
    public func values(forAttributes keys: [String]) -> [String: Any]? { values.filter { keys.contains($0.key) } }

    var dictionary: NSDictionary { values as NSDictionary }
    var path: String { values[NSMetadataItemPathKey] as? String ?? "" }

    /// Looks at a file; nil if it is hidden or gone.
    ///
    /// `.NAME.icloud` is what a file NAME leaves in its place while its bytes are elsewhere, as in Apple's folders.
    init?(folder: URL, entry: String) {
        let isPlaceholder = entry.hasPrefix(".") && entry.hasSuffix(".icloud") && entry.count > 8
        guard isPlaceholder || !entry.hasPrefix(".") else { return nil }
        let name = isPlaceholder ? String(entry.dropFirst().dropLast(7)) : entry
        var status = stat()
        guard lstat(folder.appendingPathComponent(entry).path, &status) == 0 else { return nil }
        let url = folder.appendingPathComponent(name)
        let changed = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
        let hasConflicts = NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.isEmpty == false
        stamp = [
            Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), isPlaceholder ? 1 : 0,
            hasConflicts ? 1 : 0,
        ]
        values = [
            NSMetadataItemFSNameKey: name, NSMetadataItemDisplayNameKey: url.deletingPathExtension().lastPathComponent,
            NSMetadataItemURLKey: url, NSMetadataItemPathKey: url.path,
            NSMetadataItemFSSizeKey: NSNumber(value: Int(status.st_size)),
            NSMetadataItemFSContentChangeDateKey: changed,
            NSMetadataItemFSCreationDateKey: Date(timeIntervalSince1970: Double(status.st_ctim.tv_sec)),
            NSMetadataUbiquitousItemDownloadingStatusKey: isPlaceholder
                ? NSMetadataUbiquitousItemDownloadingStatusNotDownloaded
                : NSMetadataUbiquitousItemDownloadingStatusCurrent,
            NSMetadataUbiquitousItemHasUnresolvedConflictsKey: NSNumber(value: hasConflicts),
        ]
    }
}
