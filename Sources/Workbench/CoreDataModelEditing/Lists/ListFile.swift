import CoreDataModeling

/// A file of an application of property lists, as it is read to be changed.
enum ListFile {
    case read(before: Data, ListText)
    /// It stays as it is, for a reason in a sentence.
    case kept(String)

    /// Reads a file of a folder; a link that leads out of it is not followed.
    ///
    /// - Parameter present: what the file has by now where a change of it has not been written yet.
    /// - Throws: `ModelingError` for a file that cannot be read.
    init(_ url: URL, in folder: URL, present: Data? = nil) throws {
        let root = folder.resolvingSymlinksInPath().path + "/"
        guard url.resolvingSymlinksInPath().path.hasPrefix(root) else {
            self = .kept("'\(url.lastPathComponent)' is a link that leads out of the folder, and stays as it is")
            return
        }
        let before = try BoundedFile.read(url, limit: 4 << 20)
        guard let text = String(data: present ?? before, encoding: .utf8), let list = ListText(text) else {
            self = .kept("'\(url.lastPathComponent)' is no property list in plain XML, and stays as it is")
            return
        }
        self = .read(before: before, list)
    }
}
