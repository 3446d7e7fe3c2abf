import CoreData
import Foundation

/// The paths that rows of a library have: as a text, and as bytes where these are not UTF-8; on the queue of their context.
enum RowPath {
    /// The path of a row; nil if it has none.
    static func path(of row: NSManagedObject) -> BytePath? {
        path(row.value(forKey: "path"), row.value(forKey: "pathBytes"))
    }

    static func path(_ text: Any?, _ bytes: Any?) -> BytePath? {
        if let bytes = bytes as? Data { return BytePath([UInt8](bytes)) }
        return (text as? String).map { BytePath($0) }
    }

    /// The absolute path of an item's file.
    static func location(of row: NSManagedObject) -> BytePath? {
        guard let folder = row.value(forKey: "folder") as? NSManagedObject, let root = path(of: folder),
            let path = path(of: row)
        else { return nil }
        return root.appending(path)
    }
}
