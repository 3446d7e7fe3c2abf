import Foundation

/// A folder for one run of a program, which only the owner may read.
struct ScratchFolder {
    let url: URL

    /// - Throws: ``PictureFileError`` with `unreadable` if there is no place for it.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-picture-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.noPlace
        }
    }

    func write(_ data: Data, _ name: String) throws {
        do { try data.write(to: url.appendingPathComponent(name)) } catch { throw Self.noPlace }
    }

    /// Makes a link to a file, so that no program sees its name: some read options in names.
    func link(_ file: URL, as name: String) throws {
        let path = url.appendingPathComponent(name).path
        guard symlink(file.absoluteURL.path, path) == 0 else { throw Self.noPlace }
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    private static var noPlace: PictureFileError {
        PictureFileError(
            .unreadable, "there is no place for temporary files",
            hint: "make room in '\(FileManager.default.temporaryDirectory.path)', or set TMPDIR")
    }
}
