import CoreDataModeling

/// A property list of an application, read in order to change names in it.
enum ListFile {
    case read(before: Data, ListText)
    /// The file is not changed; the sentence says why.
    case kept(String)

    /// Reads a file of a folder; does not read a symbolic link that leads out of the folder.
    ///
    /// - Parameter present: the file's text after earlier changes that have not been written yet; nil without any.
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
