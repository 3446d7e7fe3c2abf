import CoreDataFoundation

/// Writes files so that a reader, also after a failure during writing, finds either the old or the complete new
/// contents.
package enum AtomicFile {
    /// Replaces a file, or creates it.
    ///
    /// - Parameter check: called when everything is written, before the file is replaced; its errors are rethrown.
    /// - Throws: `ModelingError` `.unwritable`, or an error of `check`; the file is then unchanged.
    package static func write(_ data: Data, to url: URL, after check: () throws -> Void = {}) throws {
        let target = url.resolvingSymlinksInPath()
        let temporary = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
        do {
            let mode = try? FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions]
            try data.write(to: temporary)
            if let mode {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: temporary.path)
            }
            let handle = try FileHandle(forWritingTo: temporary)
            defer { try? handle.close() }
            try handle.synchronize()
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw unwritable(url, error)
        }
        do {
            try check()
            guard rename(temporary.path, target.path) == 0 else {
                throw unwritable(url, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
            }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
    }

    /// Copies a folder to another name in the same folder, which must not exist.
    ///
    /// - Throws: `ModelingError` `.unwritable`; the target then does not exist.
    static func copyFolder(_ source: URL, to target: URL) throws {
        let temporary = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
        do {
            try FileManager.default.copyItem(at: source, to: temporary)
            try FileManager.default.moveItem(at: temporary, to: target)
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw unwritable(target, error)
        }
    }

    /// Renames a folder, so that no process finds it half removed, and then deletes it. Files that cannot be deleted
    /// stay under the temporary name.
    ///
    /// - Throws: `ModelingError` `.unwritable` if the folder cannot be renamed; it is then unchanged.
    static func removeFolder(_ url: URL) throws {
        let temporary = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
        do { try FileManager.default.moveItem(at: url, to: temporary) } catch { throw unwritable(url, error) }
        // Files that cannot be removed no longer have a name that would identify them as a version.
        try? FileManager.default.removeItem(at: temporary)
    }

    private static func unwritable(_ url: URL, _ error: any Error) -> ModelingError {
        ModelingError(.unwritable, "writing failed: \(error.localizedDescription)").at(path: url.path)
    }
}
