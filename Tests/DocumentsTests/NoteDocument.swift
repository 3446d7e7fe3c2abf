import Documents
import Foundation

/// A document of one text, in a file or as a part of a package.
final class NoteDocument: UIDocument, @unchecked Sendable {
    private let lock = NSLock()
    private var stored = "unset"
    var isPackage = false
    var failure: CocoaError?

    /// The text; setting it is a change that is not saved.
    var text: String {
        get { lock.withLock { stored } }
        set {
            lock.withLock { stored = newValue }
            updateChangeCount(.done)
        }
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        if let failure { throw failure }
        let data = (contents as? Data) ?? (contents as? FileWrapper)?.fileWrappers?["note.txt"]?.regularFileContents
        guard let data, let text = String(data: data, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
        lock.withLock { stored = text }
    }

    override func contents(forType typeName: String) throws -> Any {
        if let failure { throw failure }
        let data = Data(text.utf8)
        guard isPackage else { return data }
        let inner = FileWrapper(directoryWithFileWrappers: ["a": FileWrapper(regularFileWithContents: Data([1, 2, 3]))])
        return FileWrapper(directoryWithFileWrappers: [
            "note.txt": FileWrapper(regularFileWithContents: data), "Pictures": inner,
        ])
    }
}
