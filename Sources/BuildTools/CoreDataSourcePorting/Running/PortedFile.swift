/// A file with the edits that porting makes to it.
package struct PortedFile: Sendable, Equatable {
    package let path: String
    /// The current text; empty for a new file.
    package let before: [UInt8]
    package let edits: [TextEdit]

    package init(path: String, before: [UInt8], edits: [TextEdit]) {
        (self.path, self.before, self.edits) = (path, before, edits)
    }

    /// The text with the edits applied.
    package var after: [UInt8] { edits.applied(to: before) }

    /// What changes, as `diff -u` prints it.
    package var difference: String { UnifiedDiff(path: path, text: before, edits: edits).text }
}
