/// A file with what porting does to it.
package struct PortedFile: Sendable, Equatable {
    package let path: String
    /// The text as it is; empty for a file that is to be made.
    package let before: [UInt8]
    package let edits: [TextEdit]

    package init(path: String, before: [UInt8], edits: [TextEdit]) {
        (self.path, self.before, self.edits) = (path, before, edits)
    }

    /// The text as it is to be.
    package var after: [UInt8] { edits.applied(to: before) }

    /// What changes, as `diff -u` prints it.
    package var difference: String { UnifiedDiff(path: path, text: before, edits: edits).text }
}
