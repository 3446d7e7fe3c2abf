import CoreDataFoundation

extension URL {
    /// The path by which an item is compared with others.
    var itemPath: String { standardizedFileURL.path }
}
