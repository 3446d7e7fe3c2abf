import CoreDataFoundation
import LockKit

/// A version of a document: the present one, or one that is kept beside it, as after two edits that did not know of
/// each other.
///
/// Versions are kept in a hidden folder beside the item, `.NAME.versions`, so that whatever copies the folder copies
/// them too.
public final class NSFileVersion: @unchecked Sendable {
    /// Is called when a version of an item is resolved or removed; set by those who know the presenters of items.
    static let onResolution = Locked<(@Sendable (URL, NSFileVersion) -> Void)?>(nil)

    /// Which item the version is of.
    private let item: URL
    private let entry: VersionFolder.Entry?

    init(_ item: URL, _ entry: VersionFolder.Entry?) { (self.item, self.entry) = (item, entry) }

    /// The present version; nil if there is no item.
    public class func currentVersionOfItem(at url: URL) -> NSFileVersion? {
        FileManager.default.fileExists(atPath: url.path) ? NSFileVersion(url, nil) : nil
    }

    /// The other versions, newest first; nil if there is no item.
    public class func otherVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return VersionFolder(url).entries.map { NSFileVersion(url, $0) }
    }

    /// The versions in conflict that are not resolved, newest first; nil if there is no item.
    public class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        otherVersionsOfItem(at: url)?.filter { $0.isConflict && !$0.isResolved }
    }

    /// Keeps a copy of some contents as a version of an item.
    @discardableResult
    public class func addOfItem(at url: URL, withContentsOf contents: URL) throws -> NSFileVersion {
        NSFileVersion(url, try VersionFolder(url).add(contents, isConflict: false))
    }

    /// Removes all other versions.
    public class func removeOtherVersionsOfItem(at url: URL) throws {
        try VersionFolder(url).removeAll()
        resolved(url, NSFileVersion(url, nil))
    }

    /// Where the contents of the version are; do not write there.
    public var url: URL { entry?.contents ?? item }
    /// The name of the item.
    public var localizedName: String? { item.lastPathComponent }
    /// The name of the machine that saved the version; nil if it is not known.
    public var localizedNameOfSavingComputer: String? { entry?.record.computer }
    /// When the version was saved.
    public var modificationDate: Date? {
        entry?.record.date
            ?? (try? FileManager.default.attributesOfItem(atPath: item.path)[.modificationDate] as? Date) ?? nil
    }
    /// Names the version among those of the item.
    public var persistentIdentifier: any NSCoding { (entry?.name ?? "current") as NSString }
    /// Whether the version was saved without knowledge of the present one.
    public var isConflict: Bool { entry?.record.isConflict ?? false }

    /// Whether a conflict is resolved. It can only be set to true; then the document is no longer in conflict by this
    /// version.
    public var isResolved: Bool {
        get { entry.map { VersionFolder(item).record($0.name)?.isResolved ?? true } ?? true }
        set {
            guard newValue, let entry else { return }
            try? VersionFolder(item).resolve(entry)
            Self.resolved(item, self)
        }
    }

    /// Puts the contents of the version in the place of an item, safely.
    @discardableResult
    public func replaceItem(at url: URL) throws -> URL {
        let temporary = SafeFile.temporary(for: url)
        do {
            try FileWrapper(url: self.url).write(to: temporary)
            try SafeFile.replace(url, with: temporary)
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
        return url
    }

    /// Removes the version.
    public func remove() throws {
        guard let entry else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: item.path]) }
        try VersionFolder(item).remove(entry)
        Self.resolved(item, self)
    }

    private static func resolved(_ url: URL, _ version: NSFileVersion) {
        onResolution.withLock { $0 }?(url, version)
    }
}
