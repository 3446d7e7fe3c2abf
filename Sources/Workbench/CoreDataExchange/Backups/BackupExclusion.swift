import CoreData

/// Which files and folders a backup leaves out.
///
/// A program marks what it can make again; open-source Foundation has no `isExcludedFromBackup`. The mark is the extended
/// attribute that Apple's systems use, `com.apple.metadata:com_apple_backup_excludeItem`, in the namespace `user`, which
/// is that of programs on Linux. A file that is replaced loses its mark; a folder keeps it.
///
/// Left out besides: folders named `Caches`, `tmp`, `.cache` or `.build`, and those with a `CACHEDIR.TAG`
/// (bford.info/cachedir).
public enum BackupExclusion {
    private static let attribute = ExtendedAttribute(name: "user.com.apple.metadata:com_apple_backup_excludeItem")
    /// What Apple's systems write: a property list of this text.
    private static let value = "com.apple.backupd"
    /// The names of folders that hold what can be made again.
    static let folders: Set<String> = ["Caches", "tmp", ".cache", ".build"]
    private static let signature = "Signature: 8a477f597d28d172789f06886806bc55"

    /// Marks a file or folder, or takes the mark away.
    ///
    /// - Throws: ``BackupError`` with `unreadable` if there is nothing at the URL, or with `noAttributes`.
    public static func set(_ isExcluded: Bool, at url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw BackupError(.unreadable, "There is nothing at '\(url.path)'.")
        }
        let code: Int32
        if isExcluded {
            let bytes = try? PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
            code = attribute.set(bytes ?? Data(), url.path)
        } else {
            code = attribute.remove(url.path)
        }
        guard code == 0 else {
            throw BackupError(
                .noAttributes,
                "'\(url.path)' cannot be marked (\(String(cString: strerror(code)))): put it into a folder "
                    + "named Caches instead, which backups leave out.")
        }
    }

    /// Whether a file or folder has the mark; false where there is nothing. Says nothing about the folders around it.
    public static func isSet(at url: URL) -> Bool { attribute.isSet(url.path) }

    /// Why an entry is left out; nil if it is not.
    static func reason(for url: URL, isFolder: Bool) -> String? {
        if isSet(at: url) { return "excluded" }
        guard isFolder else { return nil }
        if folders.contains(url.lastPathComponent) { return "cache" }
        guard let file = try? FileHandle(forReadingFrom: url.appendingPathComponent("CACHEDIR.TAG")) else { return nil }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: signature.utf8.count)) ?? nil
        return start == Data(signature.utf8) ? "cache" : nil
    }
}
