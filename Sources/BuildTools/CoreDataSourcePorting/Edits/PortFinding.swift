/// A place that the command does not rewrite, with a message on what to do by hand; also a remark on a file.
package struct PortFinding: Sendable, Equatable {
    package let file: String
    /// Counted from 1; 0 for a finding about the complete file.
    package let line: Int
    /// In bytes of UTF-8, counted from 1; 0 for a finding about the complete file.
    package let column: Int
    package let message: String

    package init(file: String, line: Int = 0, column: Int = 0, message: String) {
        (self.file, self.line, self.column, self.message) = (file, line, column, message)
    }

    /// `File.swift:3:14`, or the file alone.
    package var place: String { line == 0 ? file : "\(file):\(line):\(column)" }
}
